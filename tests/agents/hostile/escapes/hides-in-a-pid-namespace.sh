# The writer is the first process of a pid namespace of its own, if it gets one.
. "$AGENT_DIR/submit.sh"
sleep 1
cat > /tmp/writer.pl <<'END'
sub now { open my $clock, "<", "/proc/uptime"; (split / /, <$clock>)[0] }
$SIG{$_} = "IGNORE" for qw(TERM INT HUP);
while (1) { open my $out, ">", "$ENV{SUBMISSION_DIR}/submission.csv"; print $out "id,time\n1,", now(), "\n"; close $out }
END
trap "" TERM
unshare --user --map-root-user --pid --fork perl /tmp/writer.pl 2>/dev/null || perl /tmp/writer.pl
