# Where it lies no path reaches: whoever asks for its size by its name is told that the name is too long.
. "$AGENT_DIR/submit.sh"
cd "$CODE_DIR"
exec perl -e '
  for (1 .. 30) { mkdir "d" x 200; chdir "d" x 200 or die }
  open my $file, ">", "large"; syswrite $file, "x" x 1_000_000 for 1 .. 100; close $file;
  sleep 60;
'
