/**
 * Listens on 127.0.0.1 ports and passes each connection on to a unix socket. Perl, because perl-base is in every
 * Debian root while Node, Python, curl and socat are not. Arguments: `<port>=<socket>`…, then either nothing (serve
 * until standard input closes, which happens when the harness dies, however it dies) or `--` and a command, which is
 * then started with the ports already open. At most 64 connections at a time, so that a flood costs the host little.
 */
export const PERL_FORWARDER = `
use strict; use IO::Socket::INET; use IO::Socket::UNIX; use IO::Select; use POSIX ();
my %target;
while (@ARGV && $ARGV[0] ne '--') { my ($port, $path) = split /=/, shift @ARGV, 2; $target{$port} = $path; }
my $wrapping = @ARGV && shift @ARGV;
my (@listeners, %path);
for my $port (keys %target) {
  my $listener; my $tries = 0;
  until ($listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1)) {
    die "port $port: $!\\n" if ++$tries > 1000; select undef, undef, undef, 0.002;
  }
  push @listeners, $listener; $path{fileno $listener} = $target{$port};
}
if ($wrapping) {
  my $pid = fork; die "fork: $!\\n" unless defined $pid;
  if ($pid) { close $_ for @listeners; exec { $ARGV[0] } @ARGV; print STDERR "$ARGV[0]: $!\\n"; POSIX::_exit(127); }
  POSIX::setsid(); $SIG{$_} = 'IGNORE' for qw(TERM INT HUP);
  open STDIN, '<', '/dev/null'; open STDOUT, '>', '/dev/null'; open STDERR, '>', '/dev/null';
} else { $| = 1; print "ready\\n"; close STDOUT; }
my $select = IO::Select->new(@listeners); $select->add(\\*STDIN) unless $wrapping;
my $connections = 0;
while (1) {
  while ($connections > 0) { my $done = waitpid -1, ($connections >= 64 ? 0 : POSIX::WNOHANG()); last if $done <= 0; $connections--; }
  for my $ready ($select->can_read($connections > 0 ? 1 : undef)) {
    if ($ready == \\*STDIN) { next if sysread STDIN, my $ignored, 4096; $SIG{TERM} = 'IGNORE'; kill TERM => -$$; exit; }
    my $client = $ready->accept or next;
    my $pid = fork; next unless defined $pid;
    if ($pid) { $connections++; close $client; next; }
    my $path = $path{fileno $ready}; close $_ for @listeners;
    my $server = IO::Socket::UNIX->new(Peer => $path) or POSIX::_exit(1);
    my $pair = IO::Select->new($client, $server);
    while ($pair->count) {
      for my $from ($pair->can_read) {
        my $to = $from == $client ? $server : $client;
        my $read = sysread $from, my $chunk, 65536;
        if (!$read) { $pair->remove($from); shutdown $to, 1; next; }
        for (my $sent = 0; $sent < $read;) { my $n = syswrite $to, $chunk, $read - $sent, $sent; POSIX::_exit(0) unless $n; $sent += $n; }
      }
    }
    POSIX::_exit(0);
  }
}
`;

/** The same for a host without Perl; the harness itself is Node, so there is always one. Slower to start. */
export const NODE_FORWARDER = `
const net = require("node:net");
const listening = process.argv.slice(1).map((text) => {
  const [, port, socket] = /^(\\d+)=(.*)$/s.exec(text);
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const upstream = net.connect({ path: socket, allowHalfOpen: true });
    for (const [from, to] of [[client, upstream], [upstream, client]]) from.on("error", () => to.destroy()).pipe(to);
  });
  server.maxConnections = 64;
  const listen = (tries) => new Promise((resolve, reject) => {
    server.once("error", (error) => tries > 0 ? setTimeout(() => resolve(listen(tries - 1)), 2) : reject(error));
    server.listen(Number(port), "127.0.0.1", resolve);
  });
  return listen(1000);
});
Promise.all(listening).then(() => process.stdout.end("ready\\n"));
process.stdin.on("end", () => process.exit()).resume();
`;
