# Ends with 9 if it reached anything but the harness's own port.
. "$AGENT_DIR/submit.sh"
exec perl -MIO::Socket::INET -MSocket -e '
  my @targets = ("1.1.1.1:53", "8.8.8.8:443", "169.254.169.254:80", "10.0.2.2:$ENV{HOSTILE_PORT}",
    "127.0.0.1:$ENV{HOSTILE_PORT}", "127.0.0.1:22", "localhost:$ENV{HOSTILE_PORT}");
  my @reached = grep { IO::Socket::INET->new(PeerAddr => $_, Timeout => 1) } @targets;
  push @reached, "a name" if gethostbyname "example.org";
  push @reached, "a raw socket" if socket my $raw, PF_INET, SOCK_RAW, 1;
  # Abstract unix sockets belong to the network namespace.
  open my $list, "<", "/proc/net/unix";
  push @reached, grep { /\@/ } <$list>;
  print "reached $_\n" for @reached;
  exit(@reached ? 9 : 0);
'
