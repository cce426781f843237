import type { Grader, Rounding, Tables } from "../competitions/grader.ts";
import { collectProblems, type Problem } from "../competitions/problems.ts";
import { roundNumpy, roundPython } from "../metrics/arithmetic/rounding.ts";
import type { CsvLimits } from "../table/csv/layout.ts";
import { type Answers, type AnswersPart, answersOnDisk, readColumns } from "./answers.ts";

export type Verdict =
  | { status: "scored"; score: number }
  | { status: "invalid"; reasons: Problem[]; reasonCount: number }
  /** The answers themselves cannot be read: nobody's submission is to blame. */
  | { status: "broken-answers"; message: string };

export type FormatVerdict = { status: "well-formed" } | Exclude<Verdict, { status: "scored" }>;

export interface GradedFiles {
  submission: string;
  answers: string;
  limits?: CsvLimits;
  /** Where the answers are read from; the disk unless told otherwise. */
  source?: Answers;
}

/** Grades one file against the answers. The score is rounded as the original rounds it. */
export function gradeFiles(grader: Grader, files: GradedFiles): Verdict {
  const read = readTables(grader, files, "all");
  if ("status" in read) return read;
  const problems = collectProblems();
  const checked = grader.check(read, problems);
  if (checked === null || problems.count > 0) return invalid(problems.list, problems.count);
  const score = grader.score(checked, read);
  return typeof score === "number"
    ? { status: "scored", score: roundScore(score, grader.rounding) }
    : invalid([score], 1);
}

/** Checks the format alone: of the answers only ids and layout are read, and no score is computed. */
export function checkFiles(grader: Grader, files: GradedFiles): FormatVerdict {
  const read = readTables(grader, files, "keys");
  if ("status" in read) return read;
  const problems = collectProblems();
  const checked = grader.check(read, problems);
  return checked === null || problems.count > 0
    ? invalid(problems.list, problems.count)
    : { status: "well-formed" };
}

export function roundScore(score: number, rounding: Rounding): number {
  if (rounding === "none") return score;
  return rounding === "python" ? roundPython(score) : roundNumpy(score);
}

/** Both tables, or the verdict that reading them already settles. */
export function readTables(
  grader: Grader,
  files: GradedFiles,
  part: AnswersPart,
): Tables | Exclude<Verdict, { status: "scored" }> {
  const submission = readColumns(files.submission, [grader.submission], files.limits);
  if (!submission.ok) {
    const { message, row } = submission.problem;
    return invalid([{ code: "NOT_A_TABLE", message, ...(row === undefined ? {} : { row }) }], 1);
  }
  const answers = (files.source ?? answersOnDisk).read(grader, files.answers, part);
  if (!answers.ok) return { status: "broken-answers", message: answers.problem.message };
  return { submission: submission.table, answers: answers.table };
}

function invalid(reasons: Problem[], reasonCount: number): Exclude<Verdict, { status: "scored" }> {
  // A grader that gives up without saying why is a bug, but the submission is invalid all the same.
  if (reasonCount === 0) throw new Error("the check failed without naming a problem");
  return { status: "invalid", reasons, reasonCount };
}
