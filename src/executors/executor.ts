import type { Problem } from "../wording/problem.ts";
import type { Machine } from "./machine.ts";

/** What one job wants to have for itself. */
export interface Needs {
  cpus: number;
  memoryBytes: number;
  gpus: number;
  /** How long it may take in all: the agent's time and its grace period. */
  seconds: number;
}

/** What it got: the GPU devices by index, such as "0". */
export interface Share {
  gpus: readonly string[];
}

/**
 * A trial as data that can travel: whoever sees the group's folder and its data can run it, with
 * `mlebench trial <group> <trial>`. What it is about stands in the group's plan, and nowhere else.
 */
export interface Job {
  /** The run group's folder. */
  group: string;
  trialId: string;
  /** The attempt this will be, should nobody else begin one before. */
  attempt: number;
  needs: Needs;
}

/** What a trial's files tell about a job that runs elsewhere. */
export type Sight =
  /** Nobody has begun it. */
  | { status: "untouched" }
  /** Somebody has its lock; `mark` changes as long as that process lives. */
  | { status: "held"; mark: string }
  /** An attempt ended without a result. `broken`: by the harness's or the host's fault, not by the scheduler's word. */
  | { status: "left"; broken: boolean; message: string; host: string | undefined }
  | { status: "finished" };

/** The group's files, as an executor sees them whose jobs run on other machines. */
export interface JobFiles {
  /** The trials that were begun since the last call, wherever that was; it costs as much as there are new ones. */
  begun(): string[];
  /** The cheapest question: hundreds of running trials are asked every few seconds. */
  isFinished(trialId: string): boolean;
  look(trialId: string): Sight;
  /** Tells whoever follows the run. */
  tell(trialId: string, what: "begun" | "seen" | "finished"): void;
}

export interface JobContext {
  /** After it no further job is started. */
  stop: AbortSignal;
  /** Nothing is waited for any more. */
  killed: AbortSignal;
  /** Runs a job in this very process, with what it was given. Rejects only for a bug of ours. */
  runHere(job: Job, share: Share): Promise<void>;
  files: JobFiles;
  /** A sentence for whoever follows the run, such as why everything waits. */
  say(message: string): void;
}

/**
 * Who decides when and where jobs run. Jobs start in the order given; none overtakes another. `runAll` settles when
 * every started job has ended, wherever it ran; what came of each is read from its trial's folder. It returns why some
 * jobs were given up, if any were, and rejects only when `runHere` does, which is a bug: a trial's failure is a result.
 * `impossible` names, before anything starts, what a job can never get here.
 */
export interface Executor {
  /** What a trial can have at most, for what nobody named. */
  machine: Machine;
  /** Jobs run on other machines, which put in order what an earlier attempt left: nobody touches a trial here. */
  elsewhere: boolean;
  impossible(needs: Needs): string | null;
  runAll(jobs: readonly Job[], context: JobContext): Promise<Problem | null>;
}
