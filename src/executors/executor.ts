/** What one job wants to have for itself. */
export interface Needs {
  cpus: number;
  memoryBytes: number;
  gpus: number;
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

export interface JobContext {
  /** After it no further job is started. */
  stop: AbortSignal;
  /** Runs a job in this very process, with what it was given. Rejects only for a bug of ours. */
  runHere(job: Job, share: Share): Promise<void>;
}

/**
 * Who decides when and where jobs run. Jobs start in the order given; none overtakes another. `runAll` settles when
 * every started job has ended, wherever it ran; what came of each is read from its trial's folder. It rejects only when
 * `runHere` does, which is a bug: a trial's failure is a result. `impossible` names, before anything starts, what a job
 * can never get here.
 */
export interface Executor {
  impossible(needs: Needs): string | null;
  runAll(jobs: readonly Job[], context: JobContext): Promise<void>;
}
