. "$AGENT_DIR/submit.sh"
yes "this line is repeated until nobody can read it any more" | head -c 1200000000
yes "and this one goes to the other stream" | head -c 200000000 >&2
exit 0
