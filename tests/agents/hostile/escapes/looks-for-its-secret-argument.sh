# Ends with 9 if its key stands on a command line, or cannot be read where the argument says.
. "$AGENT_DIR/submit.sh"
[ "$1" = --key ] || exit 9
[ "$(cat "$2")" = "$HOSTILE_KEY" ] || exit 9
grep -q -a -F -e "$HOSTILE_KEY" /proc/[0-9]*/cmdline 2>/dev/null && exit 9
( echo x > "$2" ) 2>/dev/null && exit 9
exit 0
