import { execFile } from "node:child_process";
import fs from "node:fs";
import { promisify } from "node:util";
import { knownArchitecture } from "../system-calls/refused.ts";

/**
 * Enters the user namespace that owns the pid namespace, which is not the one its processes are in, then the pid
 * namespace itself, and signals everybody there. Whatever was opened must be the namespace that was meant, and not the
 * one we are in ourselves: a process may be gone by now, its number given to somebody else's, and the signal would stop
 * the whole machine. So it would if the namespace ended in the meantime: nobody can be born there any more, fork fails, and
 * whoever signals then is still outside.
 */
const SCRIPT = `
my ($place, $expected, $setns, $signal) = @ARGV;
open my $space, '<', $place or die;
my $found = (stat $space)[1];
my $own = (stat '/proc/self/ns/pid')[1];
die if !$found || !$own || $found != $expected || $found == $own;
my $owner = ioctl $space, 0xb701, 0; # NS_GET_USERNS
syscall $setns, $owner + 0, 0x10000000 if $owner; # root is there already
syscall($setns, fileno $space, 0x20000000) == 0 or die;
my $child = fork;
defined $child or die;
if ($child == 0) { kill $signal => -1 if (stat '/proc/self/ns/pid')[1] == $expected; exit }
waitpid $child, 0;
`;
const SETNS = { x64: 308, arm64: 268 } as const;

/** Where the kernel shows the pid namespace of a process. */
export function placeOf(pid: number): string {
  return `/proc/${pid}/ns/pid`;
}

/** The pid namespace a process is in, by the kernel's own number for it; null once it is gone. */
export function pidNamespace(pid: number): number | null {
  try {
    return fs.statSync(placeOf(pid)).ino;
  } catch {
    return null;
  }
}

/**
 * To all processes of a pid namespace in one step, so that nobody can be born in between. Needs Perl on the host.
 * `namespace` is the one that stood at `place` when its process was known to be ours.
 */
export async function signalNamespace(
  place: string,
  namespace: number | null,
  signal: "STOP" | "CONT",
): Promise<void> {
  const architecture = knownArchitecture();
  if (architecture === null || namespace === null) return;
  const args = ["-e", SCRIPT, place, `${namespace}`, `${SETNS[architecture]}`, signal];
  const env = { PATH: "/usr/bin:/bin" };
  await promisify(execFile)("/usr/bin/perl", args, { env, timeout: 1000 }).catch(() => null);
}
