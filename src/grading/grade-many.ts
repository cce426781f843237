import fs from "node:fs";
import os from "node:os";
import { Worker } from "node:worker_threads";
import type { Grade } from "./grade-schema.ts";
import { type GradeOptions, gradeSubmission } from "./grade-submission.ts";

/** Below this many bytes of submissions a worker costs more than it saves. */
const WORTH_A_WORKER = 8 * 2 ** 20;

export interface GradeManyOptions {
  /** Threads to grade with; by default one per core where the files are large enough to need them. */
  workers?: number | undefined;
  /** Called after each grade, in the order in which they finish. */
  onGrade?: ((grade: Grade, done: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type WorkerMessage = { index: number; grade: Grade };

/**
 * Grades many submissions and returns their grades in the order of the list. One that cannot be graded is an
 * outcome among the others; a worker that dies (out of memory, say) costs only the submission it was on.
 */
export async function gradeMany(
  submissions: GradeOptions[],
  options: GradeManyOptions = {},
): Promise<Grade[]> {
  const grades: Grade[] = new Array(submissions.length);
  let done = 0;
  const finish = (index: number, grade: Grade) => {
    grades[index] = grade;
    options.onGrade?.(grade, ++done);
  };
  const workers = Math.min(options.workers ?? defaultWorkers(submissions), submissions.length);
  if (workers > 1) await gradeInWorkers(submissions, workers, finish, options.signal);
  else {
    for (const [index, submission] of submissions.entries()) {
      finish(index, await gradeSubmission(submission));
      // Grading waits for nothing, so that without this pause a signal would be noticed only after the last file.
      await new Promise((resolve) => setImmediate(resolve));
      options.signal?.throwIfAborted();
    }
  }
  options.signal?.throwIfAborted();
  return grades;
}

function defaultWorkers(submissions: GradeOptions[]): number {
  let bytes = 0;
  for (const { submissionPath } of submissions)
    bytes += fs.statSync(submissionPath, { throwIfNoEntry: false })?.size ?? 0;
  return bytes < WORTH_A_WORKER ? 1 : os.availableParallelism();
}

async function gradeInWorkers(
  submissions: GradeOptions[],
  count: number,
  finish: (index: number, grade: Grade) => void,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < submissions.length) {
      signal?.throwIfAborted();
      const worker = startWorker();
      await new Promise<void>((resolve) => {
        let current = -1;
        const feed = () => {
          if (next < submissions.length && !signal?.aborted) {
            current = next++;
            worker.postMessage({ index: current, options: submissions[current] });
          } else void worker.terminate();
        };
        worker.on("message", ({ index, grade }: WorkerMessage) => {
          current = -1;
          finish(index, grade);
          feed();
        });
        worker.on("error", (error) => {
          if (current >= 0) finish(current, workerDied(submissions[current], error));
          current = -1;
        });
        worker.on("exit", () => resolve());
        signal?.addEventListener("abort", () => void worker.terminate(), { once: true });
        feed();
      });
    }
  };
  await Promise.all(Array.from({ length: count }, lane));
}

declare const __COMPETITIONS_FOLDER__: string | undefined;

function startWorker(): Worker {
  // Bundled, the worker is an entry point of its own; from source there is no file that a thread could run.
  if (typeof __COMPETITIONS_FOLDER__ === "undefined")
    throw new Error("grading in workers needs the built package");
  return new Worker(new URL("../grading/worker.js", import.meta.url));
}

function workerDied(options: GradeOptions, error: Error): Grade {
  const { competitionId, competitionVersion = "v1", submissionPath } = options;
  return {
    competitionId,
    competitionVersion,
    submissionPath,
    status: "failed",
    board: null,
    message: `The grading thread died: ${error.message}`,
    nextStep:
      "grade it alone, with more memory: NODE_OPTIONS=--max-old-space-size=8192 mlebench grade-sample …",
    blame: "host",
    retryable: true,
  };
}
