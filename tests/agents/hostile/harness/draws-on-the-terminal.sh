# Whatever a terminal would obey, in its output, in the names of its files and in what it leaves.
. "$AGENT_DIR/submit.sh"
printf '\033[2J\033[1A\033[2K\033[32mverified\033[0m\033]0;owned\007\2331A\n'
printf 'Error: \033[1A\033[2K\033[32mverified\033[0m\n' >&2
cd "$LOGS_DIR"
: > "$(printf '\033[32mverified')"
: > "$(printf 'two\nlines')"
: > "$(printf '\342\200\256gpj.exe')"
exit 3
