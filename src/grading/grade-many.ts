import fs from "node:fs";
import os from "node:os";
import type { Grade } from "./grade-schema.ts";
import type { GradeOptions } from "./grade-submission.ts";
import { openJudge } from "./judge.ts";

/** Below this many bytes of submissions a second process costs more than it saves. */
const WORTH_A_SECOND = 8 * 2 ** 20;

export interface GradeManyOptions {
  /** How many to grade at a time; by default one per core where the files are large enough to need them. */
  workers?: number | undefined;
  /** Called after each grade, in the order in which they finish. */
  onGrade?: ((grade: Grade, done: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Grades many submissions and returns their grades in the order of the list. One that cannot be graded is an
 * outcome among the others; a file that exhausts the memory of the process that reads it costs only itself.
 */
export async function gradeMany(
  submissions: readonly GradeOptions[],
  options: GradeManyOptions = {},
): Promise<Grade[]> {
  const grades: Grade[] = new Array(submissions.length);
  const workers = Math.max(1, Math.min(options.workers ?? defaultWorkers(submissions), submissions.length));
  const judge = openJudge(workers);
  const stop = () => judge.close();
  options.signal?.addEventListener("abort", stop, { once: true });
  let done = 0;
  let next = 0;
  const lane = async () => {
    while (next < submissions.length && !options.signal?.aborted) {
      const index = next++;
      const grade = await judge.grade(submissions[index]!);
      if (options.signal?.aborted) return;
      grades[index] = grade;
      options.onGrade?.(grade, ++done);
      // In place grading waits for nothing, so that without this pause a signal would be noticed only at the end.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, lane));
  } finally {
    options.signal?.removeEventListener("abort", stop);
    judge.close();
  }
  options.signal?.throwIfAborted();
  return grades;
}

function defaultWorkers(submissions: readonly GradeOptions[]): number {
  let bytes = 0;
  for (const { submissionPath } of submissions)
    bytes += fs.statSync(submissionPath, { throwIfNoEntry: false })?.size ?? 0;
  return bytes < WORTH_A_SECOND ? 1 : os.availableParallelism();
}
