# Commas, commas, commas: to the harness's check, again and again.
. "$AGENT_DIR/submit.sh"
head -c 20000000 /dev/zero | tr '\0' , > "$CODE_DIR/commas.csv"
for i in 1 2 3; do sh /home/validate_submission.sh "$CODE_DIR/commas.csv"; done
rm "$CODE_DIR/commas.csv"
