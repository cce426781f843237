# Ten uploads at once, none of which ever ends.
. "$AGENT_DIR/submit.sh"
exec perl -MIO::Socket::INET -e '
  $SIG{PIPE} = "IGNORE";
  my ($host, $port, $path) = $ENV{MLEBENCH_VALIDATE_URL} =~ m{^http://([^/:]+):(\d+)(/.*)$} or die;
  my @children;
  for (1 .. 10) {
    my $child = fork;
    if ($child) { push @children, $child; next }
    my $server = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port) or exit 1;
    $server->autoflush(1);
    print $server "POST $path HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n" .
      "Content-Length: 1000000000\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n";
    for (1 .. 150) { print $server "x" x 1_000_000 or last }
    alarm 3;
    $SIG{ALRM} = sub { exit 0 };
    my ($code) = (<$server> // "") =~ m{^HTTP/\S+ (\d+)};
    print "answer $code\n" if defined $code;
    exit 0;
  }
  sleep 4;
  kill KILL => @children;
'
