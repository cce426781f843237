. "$AGENT_DIR/submit.sh"
sleep 0.5
kill -9 "$PPID" 2>/dev/null
kill -9 -1 2>/dev/null
kill -9 $$
