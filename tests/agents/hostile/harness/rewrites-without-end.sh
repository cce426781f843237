# A new submission every few milliseconds, half of them cut short, until the deadline.
. "$AGENT_DIR/submit.sh"
exec perl -e '
  my $file = "$ENV{SUBMISSION_DIR}/submission.csv";
  my $text = do { local (@ARGV, $/) = ("$ENV{DATA_DIR}/sample_submission.csv"); <> };
  for (my $i = 0; ; $i++) {
    open my $out, ">", "$file.new" or next;
    print $out $i % 2 ? $text : substr $text, 0, rand length $text;
    close $out;
    rename "$file.new", $file;
    select undef, undef, undef, 0.002;
  }
'
