/** What one job wants to have for itself. */
export interface Needs {
  cpus: number;
  memoryBytes: number;
  gpus: number;
}

/** What it got: the GPU devices by index, such as "0". */
interface Share {
  gpus: readonly string[];
}

export interface Job {
  id: string;
  needs: Needs;
  run(share: Share): Promise<void>;
}

/**
 * Who decides when and where jobs run. Jobs start in the order given; none overtakes another. `runAll` settles when
 * every started job has ended; after `stop` no further job is started. It rejects only when a job does, which is a
 * bug: a trial's failure is a result. `impossible` names, before anything starts, what a job can never get here.
 */
export interface Executor {
  impossible(needs: Needs): string | null;
  runAll(jobs: readonly Job[], stop: AbortSignal): Promise<void>;
}
