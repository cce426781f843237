import type { Executor, Job, JobContext, Needs } from "../executor.ts";
import type { Machine } from "../machine.ts";

/**
 * Runs jobs on this machine: at most `workers` at a time, and only as many as its processors, memory and GPU devices
 * can serve. First come, first served: a job that waits for much is not passed by smaller ones, or it would wait for
 * ever.
 */
export function localExecutor(machine: Machine, workers: number): Executor {
  return {
    machine,
    elsewhere: false,
    impossible: (needs) => excess(needs, machine),
    runAll: (jobs, context) => runAll(jobs, context, machine, workers),
  };
}

async function runAll(
  jobs: readonly Job[],
  { stop, runHere }: JobContext,
  machine: Machine,
  workers: number,
): Promise<null> {
  const free = { ...machine, gpus: [...machine.gpus] };
  const running = new Set<Promise<void>>();
  const bugs: unknown[] = [];
  const stopped = () => stop.aborted || bugs.length > 0;
  for (const job of jobs) {
    while (!stopped() && running.size > 0 && (running.size >= workers || excess(job.needs, free) !== null))
      await Promise.race(running);
    if (stopped()) break;
    const gpus = free.gpus.splice(0, job.needs.gpus);
    free.cpus -= job.needs.cpus;
    free.memoryBytes -= job.needs.memoryBytes;
    const ended = runHere(job, { gpus }).catch((error: unknown) => void bugs.push(error));
    const done = ended.finally(() => {
      running.delete(done);
      free.gpus.push(...gpus);
      free.cpus += job.needs.cpus;
      free.memoryBytes += job.needs.memoryBytes;
    });
    running.add(done);
  }
  await Promise.all(running);
  if (bugs.length > 0) throw bugs[0];
  return null;
}

/** Which of the needs is more than there is, as a sentence; null when there is enough. */
function excess({ cpus, memoryBytes, gpus }: Needs, machine: Machine): string | null {
  // Shares are fractions of the whole; their sum may miss it by a rounding error.
  if (cpus > machine.cpus + 1e-6) return `a trial wants ${cpus} processors, there are ${machine.cpus}`;
  if (memoryBytes > machine.memoryBytes + 1)
    return `a trial wants ${memoryBytes} bytes of memory, there are ${machine.memoryBytes}`;
  if (gpus > machine.gpus.length) return `a trial wants ${gpus} GPUs, there are ${machine.gpus.length}`;
  return null;
}
