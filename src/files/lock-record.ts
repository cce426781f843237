import fs from "node:fs";
import os from "node:os";
import { z } from "zod";
import { NOT_PLAIN, readPlainText } from "./plain-file.ts";
import { processStart, thisMachineId } from "./process-identity.ts";

const DIGITS = 10;

const LockFile = z.looseObject({
  schema: z.string().regex(/^mlebench\/[a-z]+-lock$/),
  version: z.literal(1),
  host: z.string(),
  pid: z.int(),
  /** When that process started, as its kernel counts: process ids are given out again. Null where nobody tells. */
  started: z.string().nullable(),
  /** The running system that the process id belongs to. Locks of earlier versions have only the host's name. */
  machine: z.string().nullish(),
  /** Tells this lock from every other one. */
  token: z.string().optional(),
  /** A counter that moves as long as the holder lives; a lock without one is respected for ever. */
  beat: z.string().optional(),
});
export type LockFile = z.infer<typeof LockFile>;

/** Linking a finished file into place: the lock never exists half-written, and only one process can win. */
export function createWhole(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    fs.writeFileSync(draft, content);
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

export function readText(file: string): string | null {
  try {
    return readPlainText(file);
  } catch (error) {
    // Below a file there is no lock either.
    if (["ENOENT", "ENOTDIR", NOT_PLAIN].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** Null for what is not a lock of ours. */
export function parseLock(text: string): LockFile | null {
  try {
    return LockFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Two processes may find the same dead lock: what was moved aside is looked at again, and put back if it is another. */
export function removeStale(file: string, isTheDeadOne: (text: string) => boolean): void {
  const aside = `${file}.stale.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const text = readText(aside);
  if (text !== null && !isTheDeadOne(text)) createWhole(file, text);
  fs.rmSync(aside, { force: true });
}

/** By the running system where it is known: two containers, or two hosts, may have the same name. */
export function isOfThisMachine({ machine, host }: LockFile): boolean {
  return machine == null ? host === os.hostname() : machine === thisMachineId();
}

export function canBeWatched(owner: LockFile): boolean {
  return !isOfThisMachine(owner) && owner.beat !== undefined;
}

export function isStale(owner: LockFile): boolean {
  if (!isOfThisMachine(owner)) return false;
  const { pid, started } = owner;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const now = processStart(pid);
  return now !== null && started !== null && now !== started;
}

export function ownerText(owner: LockFile): string {
  return isOfThisMachine(owner) ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;
}

export function beatText(count: number): string {
  return String(count).padStart(DIGITS, "0");
}

/** In place: on a network file system a reader sees that at once. False when the lock is another's by now. */
export function moveCounter(file: string, token: string, count: number): boolean {
  let handle: number;
  try {
    handle = fs.openSync(file, "r+");
  } catch (error) {
    // Whatever else may be wrong with the disk for a moment, the lock is ours until it is gone.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
  try {
    // Through one handle: what is written goes into the very file that was looked at.
    const text = fs.readFileSync(handle, "latin1");
    if (parseLock(text)?.token !== token) return false;
    const at = text.indexOf('"beat":"') + '"beat":"'.length;
    fs.writeSync(handle, beatText(count), at, "latin1");
    return true;
  } catch {
    return true;
  } finally {
    fs.closeSync(handle);
  }
}
