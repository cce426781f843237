# Files without a name take space as well.
. "$AGENT_DIR/submit.sh"
sleep 0.5
exec perl -e '
  my @held;
  for my $folder ($ENV{CODE_DIR}, $ENV{LOGS_DIR}, $ENV{AGENT_DIR}, "/tmp") {
    open my $file, "+>", "$folder/held" or die;
    unlink "$folder/held";
    syswrite $file, "x" x 1_000_000 for 1 .. 60;
    push @held, $file;
  }
  sleep 60;
'
