# Thirty megabytes without a line break, to both outputs at once.
. "$AGENT_DIR/submit.sh"
head -c 30000000 /dev/zero | tr '\0' . &
head -c 30000000 /dev/zero | tr '\0' . >&2
wait
