. "$AGENT_DIR/submit.sh"
sleep 0.3
n=0
while [ "$n" -lt 4 ]; do
  n=$((n + 1))
  for folder in "$CODE_DIR" "$LOGS_DIR" "$AGENT_DIR" /tmp; do
    head -c 100000000 /dev/zero > "$folder/filler-$n" || failed=1
  done
done
sleep 2
exit "${failed:-0}"
