. "$AGENT_DIR/submit.sh"
trap '' TERM INT HUP QUIT
while :; do sleep 0.1; done
