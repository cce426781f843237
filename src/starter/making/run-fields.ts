import { Worker } from "node:worker_threads";
import type { Entry } from "./board.ts";

/** What every thread is started with. */
export interface WorkerSetup {
  readonly dataDir: string;
  readonly scratch: string;
  readonly seed: number;
}

/** The solution with this number, or (null) the list of all of them. */
export interface Task {
  readonly competitionId: string;
  readonly index: number | null;
}

export type TaskResult =
  | { readonly kind: "listed"; readonly solutions: readonly { name: string; family: string }[] }
  | { readonly kind: "scored"; readonly score: number; readonly seconds: number }
  | { readonly kind: "refused"; readonly message: string };

export interface RunOptions extends WorkerSetup {
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Called as each solution is scored. */
  readonly onScore: (done: number, total: number, competitionId: string, entry: TimedEntry) => void;
  /** Called as each field is complete, entries in the order of the field whichever thread was faster. */
  readonly onField: (competitionId: string, entries: readonly TimedEntry[]) => Promise<void>;
}

export interface TimedEntry extends Entry {
  readonly seconds: number;
}

/**
 * Runs all solutions of the fields, one field after another. A solution that fails or is refused by the grader is a
 * bug of the field and ends the run.
 */
export async function runFields(competitionIds: readonly string[], options: RunOptions): Promise<void> {
  const { dataDir, scratch, seed } = options;
  const workers = Array.from({ length: options.threads }, () => {
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), {
      workerData: { dataDir, scratch, seed } satisfies WorkerSetup,
    });
    return (task: Task) => ask(worker, task, options.signal);
  });
  const names = new Map<string, readonly { name: string; family: string }[]>();
  for (const competitionId of competitionIds) {
    const result = await workers[0]({ competitionId, index: null });
    if (result.kind !== "listed") throw new Error(`${competitionId}: ${describe(result)}`);
    requireDifferent(competitionId, result.solutions);
    names.set(competitionId, result.solutions);
  }
  const tasks = competitionIds.flatMap((competitionId) =>
    names.get(competitionId)!.map((_, index) => ({ competitionId, index })),
  );
  const entries = new Map(competitionIds.map((id) => [id, new Map<number, TimedEntry>()]));
  let next = 0;
  let done = 0;
  const lane = async (send: (task: Task) => Promise<TaskResult>) => {
    while (next < tasks.length) {
      const task = tasks[next++];
      const solution = names.get(task.competitionId)![task.index];
      const result = await send(task);
      if (result.kind !== "scored") {
        next = tasks.length;
        throw new Error(`${task.competitionId}, "${solution.name}": ${describe(result)}`);
      }
      const entry = { ...solution, score: result.score, seconds: result.seconds };
      const own = entries.get(task.competitionId)!.set(task.index, entry);
      options.onScore(++done, tasks.length, task.competitionId, entry);
      if (own.size === names.get(task.competitionId)!.length)
        await options.onField(
          task.competitionId,
          Array.from({ length: own.size }, (_, i) => own.get(i)!),
        );
    }
  };
  await Promise.all(workers.map(lane));
}

function ask(worker: Worker, task: Task, signal: AbortSignal): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const cancel = () => reject(signal.reason);
    const settle = (how: () => void) => {
      signal.removeEventListener("abort", cancel);
      worker.removeAllListeners("message").removeAllListeners("error");
      how();
    };
    signal.addEventListener("abort", cancel, { once: true });
    worker.once("message", (result: TaskResult) => settle(() => resolve(result)));
    worker.once("error", (error) => settle(() => reject(error)));
    worker.postMessage(task);
  });
}

/** Two solutions of one name are one solution twice: the field would claim more than it has. */
function requireDifferent(competitionId: string, solutions: readonly { name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of solutions) {
    if (seen.has(name)) throw new Error(`${competitionId}: two solutions are called "${name}"`);
    seen.add(name);
  }
}

function describe(result: TaskResult): string {
  return result.kind === "refused" ? result.message : `unexpected answer "${result.kind}"`;
}
