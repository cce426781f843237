# Files without a byte: until the disk has no place for another one, or whoever counts them no memory for their names.
# Enough of them to be past the limit; millions would only keep the test waiting for their end.
. "$AGENT_DIR/submit.sh"
cd "$LOGS_DIR"
exec perl -e 'for my $i (1 .. 8_000) { open my $file, ">", "a-name-of-usual-length-$i" } sleep 100'
