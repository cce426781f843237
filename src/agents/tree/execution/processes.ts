import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** Every process that can be seen; none where there is no /proc. */
export function processIds(): ReadonlySet<string> {
  try {
    return new Set(fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)));
  } catch {
    return new Set();
  }
}

const ROUNDS = 50;

/** By what the processes of a program are known that have left its group. */
export interface Marks {
  /** Those that were there before it are not its own. */
  before: ReadonlySet<string>;
  /** In their environment, as `name=value`. */
  variable: string;
  /** Where they work, links resolved: who clears the environment mostly stays there. */
  folder: string;
  /** What its output goes to, as the system names it: who goes elsewhere mostly still holds it. Empty where nobody tells. */
  streams: ReadonlySet<string>;
}

/** The ends of what a program's two streams go to; a child has them as soon as it is there, and all it starts inherit them. */
export function streamsOf(pid: number | undefined): ReadonlySet<string> {
  return new Set(["1", "2"].flatMap((stream) => streamOf(String(pid), stream) ?? []));
}

/** A file or a device may be anybody's; a pipe or a socket with its number is one program's. */
function streamOf(pid: string, stream: string): string | null {
  try {
    const name = fs.readlinkSync(`/proc/${pid}/fd/${stream}`);
    return /^(pipe|socket):\[\d+\]$/.test(name) ? name : null;
  } catch {
    return null;
  }
}

/**
 * Ends what a program has left behind, and what is in no group that could be ended at once. Asks again until nobody is
 * left: one that is seen may have forked meanwhile.
 */
export async function endStragglers(marks: Marks): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const left = [...processIds()].filter((pid) => isMarked(pid, marks));
    if (left.length === 0) return;
    for (const signal of ["SIGSTOP", "SIGKILL"] as const) for (const pid of left) send(Number(pid), signal);
    await wait(Math.min(50, 2 ** round));
  }
}

function isMarked(pid: string, { before, variable, folder, streams }: Marks): boolean {
  if (before.has(pid)) return false;
  try {
    if (fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(variable)) return true;
    const place = fs.readlinkSync(`/proc/${pid}/cwd`);
    if (place === folder || place.startsWith(`${folder}/`) || place === `${folder} (deleted)`) return true;
    return ["1", "2"].some((stream) => streams.has(streamOf(pid, stream) ?? ""));
  } catch {
    return false;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Resident bytes of a process group's members and of those that left it, file pages left out; null where /proc does not tell. */
export function groupMemory(group: number, marks: Marks): number | null {
  let bytes = 0;
  let seen = false;
  for (const pid of processIds()) {
    if (marks.before.has(pid)) continue;
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in parentheses may hold blanks; the fields we want come after it: state, parent, group.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[2]) !== group && !isMarked(pid, marks)) continue;
      const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
      bytes += 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
      seen = true;
    } catch {
      // It ended meanwhile.
    }
  }
  return seen ? bytes : null;
}
