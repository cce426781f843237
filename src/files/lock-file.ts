import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { makeFolder } from "./make-folder.ts";
import { processStart, thisMachineId } from "./process-identity.ts";

/** What a lock keeps others from doing; part of its file's schema. */
export type LockName = "prepare-lock" | "group-lock" | "trial-lock";

/** How often a holder moves its counter. */
const BEAT_MS = 2000;
/** Many beats, and longer than a network file system may show an old state; a busy holder must not look dead. */
const SILENCE_MS = 90_000;

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
type LockFile = z.infer<typeof LockFile>;

export interface HeldLock {
  status: "locked";
  release(): void;
  /** False once somebody has taken it over: whoever was silent too long must not write any more. */
  isMine(): boolean;
  /** Aborted when a beat finds that it was taken over. */
  lost: AbortSignal;
}

export type LockOutcome =
  | HeldLock
  /** `owner` says who has it, such as "process 12 on another-host". */
  | { status: "busy"; owner: string };

export interface LockOptions {
  /**
   * Move a counter, so that another host can find out that this one is dead. Needs a thread that is never long busy;
   * one that is leaves it to another thread of the process, which calls `keepLockAlive`.
   */
  beats?: boolean | "by another thread" | undefined;
}

/**
 * Keeps a second process from preparing the same competition, working on the same group or running the same trial. A
 * lock whose process is gone is taken over; one from another machine is respected here, and watched in `waitForLock`.
 */
export function takeLock(file: string, name: LockName, options: LockOptions = {}): LockOutcome {
  makeFolder(path.dirname(file));
  for (;;) {
    const token = randomBytes(12).toString("hex");
    const mine: LockFile = {
      schema: `mlebench/${name}`,
      version: 1,
      host: os.hostname(),
      pid: process.pid,
      started: processStart(process.pid),
      machine: thisMachineId(),
      token,
      ...(options.beats ? { beat: beatText(0) } : {}),
    };
    if (createWhole(file, `${JSON.stringify(mine)}\n`)) return hold(file, token, options.beats === true);
    const text = readText(file);
    if (text === null) continue;
    const owner = parseLock(text);
    if (owner !== null && !isStale(owner)) return { status: "busy", owner: ownerText(owner) };
    removeStale(file, (found) => found === text);
  }
}

export interface WaitOptions extends LockOptions {
  signal?: AbortSignal | undefined;
  /** Called once, when the answer will take a while. */
  onWatch?: ((owner: string, seconds: number) => void) | undefined;
  /** For tests: how long a counter may stand still. */
  silenceMs?: number;
}

/**
 * Takes a lock as `takeLock` does, and finds out whether a holder on another machine still lives: nobody's clock is
 * compared, its counter is watched. One that moves means busy; one that stands still for long is a dead host's.
 */
export async function waitForLock(
  file: string,
  name: LockName,
  options: WaitOptions = {},
): Promise<LockOutcome> {
  const { silenceMs = SILENCE_MS, signal, onWatch } = options;
  for (let told = false; ; told = true) {
    const outcome = takeLock(file, name, options);
    if (outcome.status === "locked") return outcome;
    const text = readText(file);
    const owner = text === null ? null : parseLock(text);
    if (owner === null) continue;
    if (!canBeWatched(owner)) return outcome;
    if (!told) onWatch?.(outcome.owner, Math.ceil(silenceMs / 1000));
    if (!(await staysTheSame(file, text!, silenceMs, signal))) {
      if (readText(file) === null) continue;
      return outcome;
    }
    removeStale(file, (found) => found === text);
  }
}

export interface LockOwner {
  text: string;
  /** A glance cannot tell whether it lives: it is a process of another machine. */
  elsewhere: boolean;
  /** Changes whenever the holder moves its counter, and with every new holder. */
  mark: string;
}

/** Who has it; null when nobody does. A killed process leaves its lock behind, which counts for nothing. */
export function lockOwner(file: string): LockOwner | null {
  const text = readText(file);
  const owner = text === null ? null : parseLock(text);
  if (owner === null || isStale(owner)) return null;
  return { text: ownerText(owner), elsewhere: !isOfThisMachine(owner), mark: text! };
}

/** Gives up a lock that a thread of this process took and did not live to release. False when it is not ours. */
export function releaseOwnLock(file: string): boolean {
  const text = readText(file);
  const owner = text === null ? null : parseLock(text);
  if (owner === null || !isOfThisMachine(owner) || owner.pid !== process.pid) return false;
  fs.rmSync(file, { force: true });
  return true;
}

/** Moves the counter of a lock that a thread of this process holds, or will take; ends with the returned function. */
export function keepLockAlive(file: string): () => void {
  let count = 0;
  const timer = setInterval(() => {
    const text = readText(file);
    const owner = text === null ? null : parseLock(text);
    if (owner?.token === undefined || owner.beat === undefined) return;
    if (isOfThisMachine(owner) && owner.pid === process.pid) moveCounter(file, owner.token, ++count);
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function hold(file: string, token: string, beats: boolean): HeldLock {
  const lost = new AbortController();
  let count = 0;
  const isMine = () => {
    const text = readText(file);
    return text !== null && parseLock(text)?.token === token;
  };
  const timer = beats
    ? setInterval(() => {
        if (!moveCounter(file, token, ++count)) lost.abort();
      }, BEAT_MS)
    : undefined;
  timer?.unref();
  return {
    status: "locked",
    isMine,
    lost: lost.signal,
    release() {
      clearInterval(timer);
      if (isMine()) fs.rmSync(file, { force: true });
    },
  };
}

function beatText(count: number): string {
  return String(count).padStart(DIGITS, "0");
}

/** In place: on a network file system a reader sees that at once. False when the lock is another's by now. */
function moveCounter(file: string, token: string, count: number): boolean {
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

async function staysTheSame(
  file: string,
  text: string,
  silenceMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const until = performance.now() + silenceMs;
  while (performance.now() < until) {
    await wait(Math.min(BEAT_MS / 4, silenceMs / 4), undefined, { signal }).catch(() => {});
    if (signal?.aborted || readText(file) !== text) return false;
  }
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

function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Null for what is not a lock of ours. */
function parseLock(text: string): LockFile | null {
  try {
    return LockFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Two processes may find the same dead lock: what was moved aside is looked at again, and put back if it is another. */
function removeStale(file: string, isTheDeadOne: (text: string) => boolean): void {
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
function isOfThisMachine({ machine, host }: LockFile): boolean {
  return machine == null ? host === os.hostname() : machine === thisMachineId();
}

function canBeWatched(owner: LockFile): boolean {
  return !isOfThisMachine(owner) && owner.beat !== undefined;
}

function isStale(owner: LockFile): boolean {
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

function ownerText(owner: LockFile): string {
  return isOfThisMachine(owner) ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.host}`;
}
