# The session's keyring belongs to the host and to every trial. Ends with 9 if any key could be written, found or read.
. "$AGENT_DIR/submit.sh"
exec perl -e '
  my %number = (x86_64 => [248, 249, 250], aarch64 => [217, 218, 219]);
  my ($add, $request, $control) = @{ $number{(split / /, `uname -m`)[0] =~ s/\s//gr} or exit 0 };
  my ($type, $name, $value) = ("user", "mlebench-hostile", "x");
  my @done;
  for my $ring (-3, -4, -5) {
    push @done, "wrote to $ring" if syscall($add, $type, $name, $value, 1, $ring) != -1;
    push @done, "looked at $ring" if syscall($control, 6, $ring, 0, 0, 0) != -1;
  }
  push @done, "asked" if syscall($request, $type, $name, 0, -3) != -1;
  push @done, "listed" if open my $list, "<", "/proc/keys" and <$list>;
  print "$_\n" for @done;
  exit(@done ? 9 : 0);
'
