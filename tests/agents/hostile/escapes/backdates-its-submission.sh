# A late file that claims to be an early one.
. "$AGENT_DIR/submit.sh"
trap 'echo late > "$SUBMISSION_DIR/new"; touch -d "1 hour ago" "$SUBMISSION_DIR/new"; mv "$SUBMISSION_DIR/new" "$SUBMISSION_DIR/submission.csv"; sleep 0.2; exit 0' TERM
while :; do sleep 0.1; done
