# A file of the host that the agent cannot read; whoever collects it could.
ln -s "$HOSTILE_FILE" "$SUBMISSION_DIR/submission.csv"
ln -s "$HOSTILE_FILE" "$LOGS_DIR/agent.log"
ln -s / "$CODE_DIR/root"
sleep 1
