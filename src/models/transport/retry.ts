import { setTimeout as sleep } from "node:timers/promises";
import type { CallProblem } from "../call.ts";

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;
/** What a provider asks for is obeyed up to here; whoever says more has lost its clock. */
const MAX_ASKED_WAIT_MS = 15 * 60_000;

/** `retry`: nothing has reached the client, and the same request may succeed later. */
export type Attempt<T> = { status: "done"; value: T } | { status: "retry"; problem: CallProblem };

export type Tried<T> =
  | { status: "done"; value: T; retries: number; waitedMs: number }
  | { status: "failed"; problem: CallProblem; retries: number; waitedMs: number };

export interface RetryRules {
  /** By `performance.now()`; a wait that would end after it is not begun. */
  deadline: number;
  signal: AbortSignal;
  /** The first one included. */
  tries: number;
  /** Shorter in tests. */
  firstWaitMs?: number;
  /** From 0 up to 1. */
  random?: () => number;
  /** Told about each wait the provider asked for, so that others wait too. */
  onAsked?: (milliseconds: number) => void;
}

/** Tries until it succeeds, with growing waits; the provider's own word on how long to wait counts more than ours. */
export async function withRetries<T>(
  attempt: (number: number) => Promise<Attempt<T>>,
  rules: RetryRules,
): Promise<Tried<T>> {
  const { deadline, signal, tries, firstWaitMs = FIRST_WAIT_MS, random = Math.random } = rules;
  let waitedMs = 0;
  for (let retries = 0; ; retries++) {
    const result = await attempt(retries);
    if (result.status === "done") return { ...result, retries, waitedMs };
    const { problem } = result;
    const failed = { status: "failed" as const, problem, retries, waitedMs };
    if (!problem.retryable || retries + 1 >= tries || signal.aborted) return failed;
    const wait = waitBefore(retries, problem, firstWaitMs, random);
    if (problem.retryAfterMs !== null) rules.onAsked?.(wait);
    if (performance.now() + wait >= deadline) return failed;
    const from = performance.now();
    const interrupted = await sleep(wait, false, { signal }).catch(() => true);
    waitedMs += performance.now() - from;
    if (interrupted) return { ...failed, waitedMs };
  }
}

function waitBefore(retries: number, problem: CallProblem, first: number, random: () => number): number {
  const asked = problem.retryAfterMs;
  // A little later than asked, and not all at once.
  if (asked !== null && asked >= 0 && asked <= MAX_ASKED_WAIT_MS)
    return asked + random() * Math.min(250, first);
  const most = Math.min(first * 2 ** retries, MAX_WAIT_MS);
  return most / 2 + (random() * most) / 2;
}
