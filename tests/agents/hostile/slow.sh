. "$AGENT_DIR/submit.sh"
sleep 600
