# Thousands of files with names that are not text, or too much of it.
. "$AGENT_DIR/submit.sh"
exec perl -e '
  chdir $ENV{LOGS_DIR} or die;
  for my $i (1 .. 3000) {
    my $name = join "", map { my $c = 1 + int rand 255; $c == 47 ? "_" : chr $c } 1 .. 1 + rand 60;
    open my $file, ">", "$i$name" and close $file;
  }
  for my $name ("-rf", "--", "~", "\n", " ", "x" x 255, "..." , "\xff\xfe") { open my $file, ">", $name and close $file }
'
