# Ends with 9 if a clock obeyed.
. "$AGENT_DIR/submit.sh"
date -s 2001-01-01 >/dev/null 2>&1 && exit 9
perl -e '
  my $time = pack "q q", 978307200, 0;
  # settimeofday and clock_settime, as x86-64 numbers them.
  exit 9 if syscall(164, $time, 0) == 0;
  exit 9 if syscall(227, 0, $time) == 0;
' || exit 9
# Its own files may carry any time it likes.
touch -d 2099-01-01 "$SUBMISSION_DIR/submission.csv"
touch -d 1970-01-02 "$LOGS_DIR/old.log"
exit 0
