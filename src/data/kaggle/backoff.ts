import { setTimeout as delay } from "node:timers/promises";
import { type KaggleProblem, type KaggleProblemCode, kaggleProblem } from "./messages.ts";

/** Time and chance, so that a test need not wait for either. */
export type Pace = {
  /** Attempts in a row that bring nothing before we give up. */
  attempts: number;
  firstWaitMs: number;
  longestWaitMs: number;
  /** A server that asks for a longer pause is not waited for: the user is told when to come back. */
  longestRetryAfterMs: number;
  sleep: (ms: number, signal: AbortSignal | null) => Promise<void>;
  random: () => number;
  now: () => number;
};

export const defaultPace: Pace = {
  attempts: 6,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
  longestRetryAfterMs: 10 * 60_000,
  sleep: (ms, signal) => delay(ms, undefined, signal === null ? {} : { signal }),
  random: Math.random,
  now: Date.now,
};

export type RetryNotice = { problem: KaggleProblem; waitMs: number; attempt: number; attempts: number };

export type RetryOptions = {
  pace: Pace;
  signal: AbortSignal | null;
  onRetry: ((notice: RetryNotice) => void) | null;
  /** Whether the last attempt got so far that the count of failures starts again. Never, by default. */
  progressed?: () => boolean;
};

const worthRepeating: ReadonlySet<KaggleProblemCode> = new Set([
  "RATE_LIMITED",
  "SERVER_ERROR",
  "UNREACHABLE",
  "STALLED",
  "TRUNCATED",
  "LINK_REFUSED",
]);

/** Repeats an attempt while its failures look temporary, with growing, jittered pauses or the one the server asks for. */
export async function withRetries<T extends { status: string }>(
  attempt: () => Promise<T | KaggleProblem>,
  { pace, signal, onRetry, progressed }: RetryOptions,
): Promise<T | KaggleProblem> {
  for (let failures = 1; ; failures++) {
    const outcome = await attempt();
    if (!isProblem(outcome) || !worthRepeating.has(outcome.code)) return outcome;
    if (progressed?.()) failures = 1;
    const waitMs = outcome.retryAfterMs ?? backoffMs(failures, pace);
    if (waitMs > pace.longestRetryAfterMs) return outcome;
    if (failures >= pace.attempts) return outcome;
    onRetry?.({ problem: outcome, waitMs, attempt: failures, attempts: pace.attempts });
    try {
      await pace.sleep(waitMs, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
      return interrupted(outcome.competition);
    }
  }
}

/** Whether an outcome is a failure; every other outcome of this folder has another status. */
export function isProblem(outcome: { status: string }): outcome is KaggleProblem {
  return outcome.status === "failed";
}

/** What Ctrl-C leaves behind is never lost: the message says so. */
export function interrupted(competition: string | null): KaggleProblem {
  return kaggleProblem("INTERRUPTED", competition, "the download was interrupted");
}

/** Doubles with each failure; between half and all of it is waited, so that many clients do not come back at once. */
function backoffMs(failures: number, { firstWaitMs, longestWaitMs, random }: Pace): number {
  const full = Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - 1));
  return Math.round((full / 2) * (1 + random()));
}

/** The pause a Retry-After header asks for, given in seconds or as a date. Null where it says nothing usable. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
