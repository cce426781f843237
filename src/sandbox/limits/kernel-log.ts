import fs from "node:fs";

/**
 * Whether the kernel has reported a memory kill for the cgroup, or one below it, since the given time (microseconds
 * of the monotonic clock). False as well where the log may not be read. Cgroup v1 keeps its own count in the victim's
 * group only, and a container's is gone with the container.
 */
export function reportsMemoryKill(cgroup: string, since: number): boolean {
  let log: number;
  try {
    log = fs.openSync("/dev/kmsg", fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    return false;
  }
  const record = Buffer.alloc(8192);
  try {
    for (;;) {
      // One record a read: "level,sequence,microseconds,flags;text".
      const text = nextRecord(log, record);
      if (text === null) return false;
      const [, , microseconds] = text.split(",", 3);
      const group = /oom-kill:.*oom_memcg=([^,\s]*)/.exec(text)?.[1];
      if (Number(microseconds) >= since && (group === cgroup || group?.startsWith(`${cgroup}/`))) return true;
    }
  } finally {
    fs.closeSync(log);
  }
}

function nextRecord(log: number, record: Buffer): string | null {
  for (;;) {
    try {
      const length = fs.readSync(log, record);
      return length === 0 ? null : record.toString("latin1", 0, length);
    } catch (error) {
      // Records that were overwritten while we read are skipped; at the end the kernel would let us wait.
      if ((error as NodeJS.ErrnoException).code !== "EPIPE") return null;
    }
  }
}
