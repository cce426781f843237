. "$AGENT_DIR/submit.sh"
head -c 1000000 /dev/urandom
head -c 1000000 /dev/urandom >&2
head -c 1000000 /dev/urandom > "$LOGS_DIR/agent.log"
printf '\033]0;title\007\033[2J\033[31m' > "$LOGS_DIR/escapes.log"
perl -e 'open my $f, ">", "$ENV{LOGS_DIR}/\xff\xfe\n.log" or die; print $f "odd name"'
perl -e 'my $name = "n" x 250; open my $f, ">", "$ENV{LOGS_DIR}/$name" or die'
exit 0
