import fs from "node:fs";

let own: string | null = null;

/** The start time in /proc/<pid>/stat, which stands 20 fields behind the command's closing bracket. */
export function processStart(pid: number): string | null {
  if (pid !== process.pid) return startIn(pid);
  own ??= startIn(pid);
  return own;
}

function startIn(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

let known: string | null | undefined;

/**
 * Where a process id means what it means here: this start of this machine's kernel, and this namespace of process ids.
 * Null where the system does not tell.
 */
export function thisMachineId(): string | null {
  if (known === undefined) {
    try {
      const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
      known = `${boot} ${fs.readlinkSync("/proc/self/ns/pid")}`;
    } catch {
      known = null;
    }
  }
  return known;
}
