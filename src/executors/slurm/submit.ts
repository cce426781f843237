import type { Needs } from "../executor.ts";
import type { ArrayStore } from "./arrays.ts";
import type { Entry } from "./entries.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SlurmArray } from "./schema.ts";

/** What one round of submitting came to. */
export type SubmitRound =
  | { status: "submitted" }
  /** Not now; what was not submitted still waits. `soon`: some of it went in, or there may be room for a smaller part. */
  | { status: "later"; message: string; soon: boolean }
  | { status: "refused"; message: string };

export interface Submitter {
  scheduler: Scheduler;
  store: ArrayStore;
  /** How many trials may run at a time, all together. */
  workers: number;
  /** How many tasks an array may have, and how many we dare ask for after the queue was full. */
  mostTasks: number;
  maxTasks: number;
  excluded(): string[];
  /** Its submission timed out: it may be in the queue all the same. */
  unsure: SlurmArray | null;
  onArray(array: SlurmArray): void;
}

const FULL = /limit|MaxJobCount|full|unable to accept job/i;

/** Submits what waits: one array for each class of needs, in parts no larger than Slurm allows. */
export async function submitWaiting(
  submitter: Submitter,
  waiting: readonly Entry[],
  total: number,
): Promise<SubmitRound> {
  const { scheduler, store, workers, mostTasks } = submitter;
  let some = false;
  for (const entries of classes(waiting)) {
    for (let from = 0; from < entries.length; ) {
      const part = entries.slice(from, from + submitter.maxTasks);
      const { needs } = part[0].job;
      const array = store.plan(
        part.map(({ job }) => job.trialId),
        needs,
      );
      const outcome = await scheduler.submit({
        key: array.key,
        tasks: part.length,
        // Each array gets its part of what may run at a time.
        throttle: Math.max(1, Math.floor((workers * part.length) / Math.max(total, part.length))),
        needs,
        script: store.script,
        log: store.logOf(array.key),
        excluded: submitter.excluded(),
      });
      if (outcome.status === "refused") {
        store.close(array);
        return outcome;
      }
      if (outcome.status === "later") {
        submitter.unsure = array;
        // There may never be room for so many at a time; for half of them there may be.
        const isFull = FULL.test(outcome.message);
        if (isFull) submitter.maxTasks = Math.max(1, Math.floor(part.length / 2));
        return { ...outcome, soon: some || (isFull && part.length > 1) };
      }
      adopt(submitter, { ...array, jobId: outcome.jobId }, part);
      some = true;
      from += part.length;
      submitter.maxTasks = Math.min(mostTasks, submitter.maxTasks * 2);
    }
  }
  return { status: "submitted" };
}

/** These entries are in the queue as this array's tasks. */
export function adopt(submitter: Submitter, array: SlurmArray, entries: readonly Entry[]): void {
  const { store } = submitter;
  store.save(array);
  for (const entry of entries) {
    entry.task = { array, index: array.trials.indexOf(entry.job.trialId) };
    if (entry.state === "waiting") entry.state = "queued";
  }
  submitter.onArray(array);
}

function classes(entries: readonly Entry[]): Entry[][] {
  const found = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { cpus, memoryBytes, gpus, seconds }: Needs = entry.job.needs;
    const key = [cpus, memoryBytes, gpus, seconds].join();
    const same = found.get(key);
    if (same === undefined) found.set(key, [entry]);
    else same.push(entry);
  }
  return [...found.values()];
}
