# Calls that have let programs out of sandboxes before. Ends with 9 if one was answered.
. "$AGENT_DIR/submit.sh"
exec perl -MSocket -e '
  chomp(my $machine = `uname -m`);
  my %calls = $machine eq "x86_64"
    ? (bpf => 321, userfaultfd => 323, perf_event_open => 298, io_uring_setup => 425, ptrace => 101, kexec_load => 246)
    : $machine eq "aarch64"
    ? (bpf => 280, userfaultfd => 282, perf_event_open => 241, io_uring_setup => 425, ptrace => 117, kexec_load => 104)
    : exit 0;
  my $zeros = "\0" x 256;
  my @done;
  push @done, "userfaultfd" if syscall($calls{userfaultfd}, 1) != -1;
  push @done, "io_uring" if syscall($calls{io_uring_setup}, 4, $zeros) != -1;
  push @done, "bpf" if syscall($calls{bpf}, 0, $zeros, 72) != -1;
  push @done, "perf" if syscall($calls{perf_event_open}, pack("LLQ", 1, 112, 1) . $zeros, 0, -1, -1, 0) != -1;
  push @done, "kexec" if syscall($calls{kexec_load}, 0, 0, 0, 0) != -1;
  my $child = fork; if (!$child) { sleep 5; exit 0 }
  push @done, "ptrace" if syscall($calls{ptrace}, 16, $child, 0, 0) != -1;
  kill KILL => $child;
  for my $family (17, 29, 31, 38, 40, 44) { push @done, "family $family" if socket my $s, $family, SOCK_SEQPACKET, 0 or socket $s, $family, SOCK_STREAM, 0 or socket $s, $family, SOCK_RAW, 0 }
  if (open my $master, "+<", "/dev/ptmx") {
    my $byte = "x"; push @done, "typed" if ioctl $master, 0x5412, $byte;
  }
  print "$_\n" for @done;
  exit(@done ? 9 : 0);
'
