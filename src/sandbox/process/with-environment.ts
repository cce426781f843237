import fs from "node:fs";

const PERL = `
use strict; use POSIX ();
my $fd = shift @ARGV;
open my $in, '<&=', $fd or die "environment: $!\\n";
my $all = do { local $/; <$in> } // ''; close $in;
%ENV = map { split /=/, $_, 2 } split /\\0/, $all;
exec { $ARGV[0] } @ARGV; print STDERR "$ARGV[0]: $!\\n"; POSIX::_exit(127);
`;

/** The same for a host without Perl. It cannot become the program, and stays as its parent. */
const NODE = `
const [fd, program, ...args] = process.argv.slice(1);
const pairs = require("node:fs").readFileSync(Number(fd), "utf8").split("\\0").filter(Boolean);
const env = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
const child = require("node:child_process").spawn(program, args, { env, stdio: "inherit" });
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {});
child.on("error", (error) => { console.error(program + ": " + error.message); process.exit(127); });
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
`;

/**
 * A command that reads its environment from a descriptor, as `environmentText` writes it, and then becomes the given
 * one: so that no shell on the way there is started with the agent's variables, and no `ps` shows them.
 */
export function withEnvironmentFrom(fd: number, command: readonly string[]): [string, ...string[]] {
  const perl = "/usr/bin/perl";
  return fs.existsSync(perl)
    ? [perl, "-e", PERL, `${fd}`, ...command]
    : [process.execPath, "-e", NODE, `${fd}`, ...command];
}

export function environmentText(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}\0`)
    .join("");
}
