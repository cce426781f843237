import type { Needs } from "../executor.ts";

/** One job array that is to be submitted. */
export interface ArrayRequest {
  key: string;
  /** How many tasks; they are numbered from 0. */
  tasks: number;
  /** So many of them run at a time at most. */
  throttle: number;
  needs: Needs;
  script: string;
  /** Where each task's output goes; `%a` is its number. */
  log: string;
  /** Nodes on which jobs broke again and again. */
  excluded: readonly string[];
}

/**
 * `later`: the controller cannot be reached or has no room now; `refused`: it would say the same again. The message is
 * the scheduler's own.
 */
export type Refused = { status: "later"; message: string } | { status: "refused"; message: string };

export type SubmitOutcome = { status: "submitted"; jobId: string } | Refused;

/** A task that has not ended. */
export interface QueuedTask {
  key: string;
  index: number;
  /** The number of its array. */
  jobId: string;
  state: string;
  /** Why it waits, in the scheduler's word. */
  reason: string;
  node: string;
}

export type QueueOutcome = { status: "answered"; tasks: QueuedTask[] } | Refused;

/** One node, as the scheduler knows it. */
export interface ClusterNode {
  name: string;
  cpus: number;
  memoryBytes: number;
  gpus: number;
}

/** What the executor asks of a scheduler. Every method is one call to its controller. */
export interface Scheduler {
  submit(array: ArrayRequest): Promise<SubmitOutcome>;
  /** All tasks of these arrays that have not ended; an array that is unknown has none. */
  queue(keys: readonly string[]): Promise<QueueOutcome>;
  cancel(keys: readonly string[], how: "gently" | "at once"): Promise<void>;
  /** Ends single tasks. */
  cancelTasks(tasks: readonly { jobId: string; index: number }[]): Promise<void>;
}

/** Time as the executor knows it; a simulation has its own. */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, wake: AbortSignal): Promise<void>;
}
