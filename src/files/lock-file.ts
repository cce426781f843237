import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { makeFolder } from "./make-folder.ts";

/** What a lock keeps others from doing; part of its file's schema. */
export type LockName = "prepare-lock" | "group-lock";

const LockFile = z.object({
  schema: z.string().regex(/^mlebench\/[a-z]+-lock$/),
  version: z.literal(1),
  host: z.string(),
  pid: z.int(),
  /** When that process started, as its kernel counts: process ids are given out again. Null where nobody tells. */
  started: z.string().nullable(),
});
type LockFile = z.infer<typeof LockFile>;

export type LockOutcome =
  | { status: "locked"; release: () => void }
  /** `owner` says who has it, such as "process 12 on another-host". */
  | { status: "busy"; owner: string };

/**
 * Keeps a second process from preparing the same competition or working on the same group. A lock whose process is
 * gone is taken over; one from another machine is respected, since nothing can be known about a process there.
 */
export function takeLock(file: string, name: LockName): LockOutcome {
  makeFolder(path.dirname(file));
  for (;;) {
    const mine: LockFile = {
      schema: `mlebench/${name}`,
      version: 1,
      host: os.hostname(),
      pid: process.pid,
      started: startOf(process.pid),
    };
    if (createWhole(file, `${JSON.stringify(mine)}\n`)) {
      return { status: "locked", release: () => fs.rmSync(file, { force: true }) };
    }
    const owner = readLock(file);
    if (owner === "gone") continue;
    if (owner !== "unreadable" && !isStale(owner)) return { status: "busy", owner: ownerText(owner) };
    removeStale(file);
  }
}

/** Whether somebody has it right now. A killed process leaves its lock behind, which counts for nothing. */
export function isLocked(file: string): boolean {
  const owner = readLock(file);
  return typeof owner === "object" && !isStale(owner);
}

/** Gives up a lock that a thread of this process took and did not live to release. False when it is not ours. */
export function releaseOwnLock(file: string): boolean {
  const owner = readLock(file);
  if (typeof owner !== "object" || owner.host !== os.hostname() || owner.pid !== process.pid) return false;
  fs.rmSync(file, { force: true });
  return true;
}

/** Linking a finished file into place: the lock never exists half-written, and only one process can win. */
function createWhole(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  fs.writeFileSync(draft, content);
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // A file system without hard links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
    return createExclusively(file, content);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function createExclusively(file: string, content: string): boolean {
  try {
    fs.writeFileSync(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function readLock(file: string): LockFile | "gone" | "unreadable" {
  try {
    return LockFile.parse(JSON.parse(fs.readFileSync(file, "utf8")));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "gone" : "unreadable";
  }
}

/** Two processes may find the same stale lock: what was moved aside is looked at again, and put back if it is fresh. */
function removeStale(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const owner = readLock(aside);
  if (typeof owner === "object" && !isStale(owner)) createWhole(file, fs.readFileSync(aside, "utf8"));
  fs.rmSync(aside, { force: true });
}

function isStale({ host, pid, started }: LockFile): boolean {
  if (host !== os.hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const now = startOf(pid);
  return now !== null && started !== null && now !== started;
}

/** The start time in /proc/<pid>/stat, which stands 20 fields behind the command's closing bracket. */
function startOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function ownerText({ host, pid }: LockFile): string {
  return host === os.hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
}
