import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import { fileDigest } from "../files/folder-digest.ts";
import type { Grade } from "./grade-schema.ts";
import type { GradeOptions } from "./grade-submission.ts";
import { type JudgeWork, openJudge, sizeOf } from "./judge.ts";

/** Below this many bytes of submissions a second process costs more than it saves. */
const WORTH_A_SECOND = 8 * 2 ** 20;

/** So many files for each worker are known to be new before it asks for them. */
const AHEAD = 8;
/** A small file is read at once: through a stream the main thread would wait for other threads several times. */
const SMALL_BYTES = 2 ** 20;

/** How many of the small ones in a row. */
const READ_AT_ONCE = 64;

export interface GradeManyOptions {
  /** How many to grade at a time; by default one per core where the files are large enough to need them. */
  workers?: number | undefined;
  /** Called after each grade, in the order in which they finish. */
  onGrade?: ((grade: Grade, done: number) => void) | undefined;
  /** Called for each file that was really graded, not for one that has the same content as another. */
  onWork?: ((work: JudgeWork & { submissionPath: string }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Grades many submissions and returns their grades in the order of the list. One that cannot be graded is an
 * outcome among the others; a file that exhausts the memory of the process that reads it costs only itself. Files of
 * the same content are graded once. They are taken competition by competition, largest first, so that a process reads the
 * answers of each at most once and all of them have work until the end.
 */
export async function gradeMany(
  submissions: readonly GradeOptions[],
  options: GradeManyOptions = {},
): Promise<Grade[]> {
  const grades: Grade[] = new Array(submissions.length);
  const sizes = submissions.map(({ submissionPath }) => sizeOf(submissionPath));
  const { workers: wanted = defaultWorkers(sizes) } = options;
  const workers = Math.max(1, Math.min(wanted || 1, submissions.length));
  const judge = openJudge(workers);
  const stop = () => void judge.close();
  options.signal?.addEventListener("abort", stop, { once: true });
  let done = 0;
  const give = (index: number, grade: Grade) => {
    grades[index] = { ...grade, submissionPath: submissions[index]!.submissionPath };
    options.onGrade?.(grades[index], ++done);
  };
  const nextTask = inOrderOfWork(submissions, sizes, give, options.signal);
  // Which files are the same is found out while others are graded; in one order, whoever asks, so that no process comes
  // back to a competition whose answers it has let go.
  const ahead = Array.from({ length: AHEAD * workers }, nextTask);
  const lane = async () => {
    while (!options.signal?.aborted) {
      ahead.push(nextTask());
      const task = await ahead.shift()!;
      if (task === null || options.signal?.aborted) return;
      const first = submissions[task.indexes[0]!]!;
      const grade = await judge.grade(first, (work) =>
        options.onWork?.({ ...work, submissionPath: first.submissionPath }),
      );
      if (options.signal?.aborted) return;
      task.grade = grade;
      for (const index of task.indexes) give(index, grade);
      await pause();
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, lane));
  } finally {
    options.signal?.removeEventListener("abort", stop);
    await judge.close();
  }
  options.signal?.throwIfAborted();
  return grades;
}

/** Grading in place and reading small files wait for nothing: without it a signal would be noticed only at the end. */
const pause = () => new Promise((resolve) => setImmediate(resolve));

/** Submissions with one content and everything else the same: one is graded for all of them. */
interface Task {
  indexes: number[];
  /** Once it is there, whatever else has this content gets it at once. */
  grade: Grade | null;
}

/** Returns what gives the next task, one after the other; null when there is none any more. */
function inOrderOfWork(
  submissions: readonly GradeOptions[],
  sizes: readonly number[],
  give: (index: number, grade: Grade) => void,
  signal?: AbortSignal,
): () => Promise<Task | null> {
  const demands = submissions.map(
    ({ submissionPath, ...demand }, i) => `${sizes[i]} ${JSON.stringify(demand)}`,
  );
  const alike = new Map<string, number>();
  for (const demand of demands) alike.set(demand, (alike.get(demand) ?? 0) + 1);
  const tasks = new Map<string, Task>();
  const order = largestFirst(submissions, sizes);
  let next = 0;
  const find = async (): Promise<Task | null> => {
    while (next < order.length && !signal?.aborted) {
      const index = order[next++]!;
      const demand = demands[index]!;
      // Only files of one size for one competition can be the same; all others need not be read for that.
      const content =
        alike.get(demand)! > 1 ? await contentOf(submissions[index]!.submissionPath, sizes[index]!) : null;
      const key = content === null ? `${index}` : `${demand} ${content}`;
      const same = tasks.get(key);
      if (same === undefined) {
        const task: Task = { indexes: [index], grade: null };
        tasks.set(key, task);
        return task;
      }
      if (same.grade === null) same.indexes.push(index);
      else give(index, same.grade);
      if (next % READ_AT_ONCE === 0) await pause();
    }
    return null;
  };
  let last: Promise<Task | null> = Promise.resolve(null);
  return () => {
    last = last.then(find);
    // Who waits for it hears of it; nobody may be waiting any more.
    last.catch(() => {});
    return last;
  };
}

/** The submissions' places in the list: competition by competition, those with most to read first. */
function largestFirst(submissions: readonly GradeOptions[], sizes: readonly number[]): number[] {
  const names = submissions.map(
    ({ competitionId, competitionVersion = "v1" }) => `${competitionId} ${competitionVersion}`,
  );
  const total = new Map<string, number>();
  for (const [i, name] of names.entries()) total.set(name, (total.get(name) ?? 0) + sizes[i]!);
  return [...names.keys()].sort(
    (a, b) =>
      total.get(names[b]!)! - total.get(names[a]!)! ||
      (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : a - b),
  );
}

/** Null for a file that cannot be read, or whose name decides about it: grading says what is wrong with it. */
async function contentOf(file: string, size: number): Promise<string | null> {
  try {
    if (!file.toLowerCase().endsWith(".csv") || !fs.statSync(file).isFile()) return null;
    if (size > SMALL_BYTES) return (await fileDigest(file)).sha256;
    return createHash("sha256").update(fs.readFileSync(file)).digest("hex");
  } catch {
    return null;
  }
}

function defaultWorkers(sizes: readonly number[]): number {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return bytes < WORTH_A_SECOND ? 1 : os.availableParallelism();
}
