import { Worker } from "node:worker_threads";
import { abandonPreparation, type PrepareOptions, prepareCompetition, showPreparing } from "./competition.ts";
import type { PrepareOutcome } from "./outcome.ts";
import type { PrepareProgress } from "./progress.ts";

/** What a preparation tells while it runs. */
export type PrepareMessage =
  | { event: "progress"; progress: PrepareProgress }
  | { event: "note"; message: string }
  | { event: "outcome"; outcome: PrepareOutcome };

export type WorkerOrder = { order: "prepare"; options: PrepareOptions } | { order: "stop" };

export interface PrepareManyOptions {
  /** How many competitions are worked on at a time. */
  jobs: number;
  signal: AbortSignal;
  onProgress: (progress: PrepareProgress) => void;
  onNote: (competitionId: string, message: string) => void;
  /** Called for each competition as it ends, in that order. */
  onOutcome: (outcome: PrepareOutcome) => void;
}

const GRACE_MS = 10_000;

/**
 * Prepares many competitions and returns their outcomes in the order of the list. Each runs in a thread of its own:
 * one that fails, even by running out of memory, costs no other, and an interruption is heard while one is computing.
 */
export async function prepareMany(
  competitions: readonly PrepareOptions[],
  options: PrepareManyOptions,
): Promise<PrepareOutcome[]> {
  const outcomes: PrepareOutcome[] = new Array(competitions.length);
  let next = 0;
  const lane = async () => {
    while (next < competitions.length) {
      const index = next++;
      outcomes[index] = options.signal.aborted
        ? { ...nothingDone(competitions[index]), status: "interrupted" }
        : await prepareOne(competitions[index], options);
      options.onOutcome(outcomes[index]);
    }
  };
  const jobs = Math.max(options.jobs || 1, 1);
  await Promise.all(Array.from({ length: Math.min(jobs, competitions.length) }, lane));
  return outcomes;
}

declare const __COMPETITIONS_FOLDER__: string | undefined;

async function prepareOne(one: PrepareOptions, options: PrepareManyOptions): Promise<PrepareOutcome> {
  // Bundled, the worker is an entry point of its own; from source there is no file that a thread could run.
  if (typeof __COMPETITIONS_FOLDER__ !== "undefined") return prepareInWorker(one, options);
  const { signal, onProgress } = options;
  const onNote = (message: string) => options.onNote(one.competitionId, message);
  return prepareCompetition(one, { signal, onProgress, onNote });
}

function prepareInWorker(one: PrepareOptions, options: PrepareManyOptions): Promise<PrepareOutcome> {
  const { signal, onProgress, onNote } = options;
  const worker = new Worker(new URL("../data/prepare/worker.js", import.meta.url));
  return new Promise((resolve) => {
    let outcome: PrepareOutcome | null = null;
    const endShow = showPreparing(one);
    let grace: NodeJS.Timeout | undefined;
    let stage: PrepareProgress["stage"] | null = null;
    const stop = () => {
      worker.postMessage({ order: "stop" } satisfies WorkerOrder);
      // The audit listens to nobody while it reads, and by then the data are in place.
      grace = setTimeout(() => void worker.terminate(), stage === "audit" ? 0 : GRACE_MS);
    };
    worker.on("message", (message: PrepareMessage) => {
      if (message.event === "progress") {
        stage = message.progress.stage;
        onProgress(message.progress);
      } else if (message.event === "note") onNote(one.competitionId, message.message);
      else {
        outcome = message.outcome;
        void worker.terminate();
      }
    });
    worker.on("error", (error) => {
      outcome ??= { ...nothingDone(one), status: "failed", ...death(error) };
    });
    worker.on("exit", () => {
      clearTimeout(grace);
      endShow();
      signal.removeEventListener("abort", stop);
      abandonPreparation(one);
      resolve(outcome ?? { ...nothingDone(one), status: "interrupted" });
    });
    signal.addEventListener("abort", stop, { once: true });
    worker.postMessage({ order: "prepare", options: one } satisfies WorkerOrder);
  });
}

function nothingDone({ competitionId, competitionVersion, settings }: PrepareOptions) {
  return { competitionId, competitionVersion, settings: settings ?? {}, warnings: [], checks: [] };
}

function death(error: Error & { code?: string }) {
  const outOfMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return {
    stage: "prepare" as const,
    code: outOfMemory ? "OUT_OF_MEMORY" : "INTERNAL",
    message: outOfMemory ? "It ran out of memory." : `${error.message} (this is a bug of mlebench).`,
    nextStep: outOfMemory
      ? "Prepare it alone with more: NODE_OPTIONS=--max-old-space-size=8192 mlebench prepare …"
      : `See where: MLEBENCH_DEBUG=1${process.env.MLEBENCH_DEBUG ? `\n${error.stack}` : ""}`,
    blame: outOfMemory ? ("host" as const) : ("harness" as const),
    retryable: outOfMemory,
  };
}
