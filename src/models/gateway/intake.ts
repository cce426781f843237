import { setTimeout as sleep } from "node:timers/promises";

/** What the requests of one gateway take from a harness of many trials: memory, and time of its one thread. */
export interface Intake {
  /** Held by requests that are under way. */
  bytes: number;
  /** By `performance.now()`: until then its share of the thread is used up. */
  busyUntil: number;
}

export function createIntake(): Intake {
  return { bytes: 0, busyUntil: 0 };
}

/** Of the thread's time a gateway may use one part in so many, as long as its requests take any worth counting. */
const PARTS = 3;
/** So far it may be ahead of its share before anybody waits. */
const AHEAD_MS = 2000;

/** Waits while this gateway has had more than its share. Fails when the signal is aborted. */
export async function takeTurn(intake: Intake, signal: AbortSignal): Promise<void> {
  for (;;) {
    const wait = intake.busyUntil - performance.now() - AHEAD_MS;
    if (wait <= 0) return;
    // Whoever wakes first works at once, and the others find that they have to wait again.
    await sleep(wait, undefined, { signal });
  }
}

/** Does what no other trial can interrupt, and counts its time. */
export function counted<T>(intake: Intake, work: () => T): T {
  const from = performance.now();
  try {
    return work();
  } finally {
    intake.busyUntil = Math.max(from, intake.busyUntil) + (performance.now() - from) * PARTS;
  }
}
