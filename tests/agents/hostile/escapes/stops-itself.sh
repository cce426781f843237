. "$AGENT_DIR/submit.sh"
sleep 600 &
kill -STOP $!
kill -STOP $$
sleep 600
