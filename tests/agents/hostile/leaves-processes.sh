# One leaves its session, one loses its parent twice and closes everything, one goes on writing the submission.
. "$AGENT_DIR/submit.sh"
setsid sh -c 'trap "" TERM; while :; do sleep 1; done' >/dev/null 2>&1 &
perl -e '
  exit if fork; require POSIX; POSIX::setsid(); exit if fork;
  close $_ for *STDIN, *STDOUT, *STDERR;
  $SIG{$_} = "IGNORE" for qw(TERM HUP INT);
  sleep 1 while 1;
'
setsid perl -e 'while (1) { sleep 2; open my $f, ">", "$ENV{SUBMISSION_DIR}/submission.csv"; print $f "stolen\n" }' >/dev/null 2>&1 &
exit 0
