. "$AGENT_DIR/submit.sh"
trap 'echo late > "$SUBMISSION_DIR/submission.csv"; sleep 0.2; exit 0' TERM
while :; do sleep 0.1; done
