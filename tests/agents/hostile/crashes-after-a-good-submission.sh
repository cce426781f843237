. "$AGENT_DIR/submit.sh"
kill -SEGV $$
