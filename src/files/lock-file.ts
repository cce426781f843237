import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  beatText,
  canBeWatched,
  createWhole,
  isOfThisMachine,
  isStale,
  type LockFile,
  moveCounter,
  ownerText,
  parseLock,
  readText,
  removeStale,
} from "./lock-record.ts";
import { makeFolder } from "./make-folder.ts";
import { processStart, thisMachineId } from "./process-identity.ts";

/** What a lock keeps others from doing; part of its file's schema. */
export type LockName =
  | "prepare-lock"
  | "group-lock"
  | "trial-lock"
  | "starts-lock"
  | "spending-lock"
  | "pace-lock";

/** How often a holder moves its counter. */
const BEAT_MS = 2000;
/** Many beats, and longer than a network file system may show an old state; a busy holder must not look dead. */
const SILENCE_MS = 90_000;
const MIN_SILENCE_MS = 5 * BEAT_MS;

/** How long a counter of another machine may stand still; MLEBENCH_LEASE_SECONDS says it for file systems one knows. */
export function usualSilence(): number {
  const told = Number(process.env.MLEBENCH_LEASE_SECONDS ?? "") * 1000;
  return told > 0 ? Math.max(MIN_SILENCE_MS, told) : SILENCE_MS;
}

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
  const { silenceMs = usualSilence(), signal, onWatch } = options;
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
