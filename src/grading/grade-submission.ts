import fs from "node:fs";
import path from "node:path";
import { type LoadedCompetition, loadCompetition } from "../competitions/catalogue.ts";
import { type CompetitionVersion, graderOf, hasCorrectedData } from "../competitions/competition.ts";
import type { Grader } from "../competitions/grader.ts";
import { nearestIds } from "../competitions/splits.ts";
import { canGrade, competitionFile, dataFolder } from "../data/place/data-folder.ts";
import { howToPrepare, type PrepareHint, prepareCommand } from "../data/place/prepare-command.ts";
import { type NamedBoard, type ReadBoard, readBoard } from "../leaderboards/board-files.ts";
import type { Leaderboard } from "../leaderboards/leaderboard-schema.ts";
import type { CsvLimits } from "../table/csv/layout.ts";
import { type Answers, answersOnDisk } from "./answers.ts";
import { describeScore } from "./describe-score.ts";
import type { Grade } from "./grade-schema.ts";
import { measureNoise } from "./noise.ts";
import { checkFiles, type FormatVerdict, type GradedFiles, gradeFiles, type Verdict } from "./run-grader.ts";

export interface GradeOptions {
  competitionId: string;
  submissionPath: string;
  /** `v1` by default. */
  competitionVersion?: CompetitionVersion | undefined;
  dataDir?: string | undefined;
  /** A folder with the user's own competitions. */
  competitionsDir?: string | undefined;
  limits?: CsvLimits | undefined;
  /** Resample the graded rows this often, to see how firmly the medal stands. */
  noiseResamples?: number | undefined;
  /** The board that an earlier grade names; it counts where it is one that the newest replaced. */
  namedBoard?: NamedBoard | undefined;
}

/**
 * Grades one submission. Whatever is wrong with the file, the data or the id is an outcome, never an exception. A
 * process that grades many may remember the answers it has read.
 */
export async function gradeSubmission(
  options: GradeOptions,
  source: Answers = answersOnDisk,
): Promise<Grade> {
  const found = await locate(options, source);
  if ("status" in found) return found;
  const { common, files, grader } = found;
  const { competition } = found.loaded;
  const verdict = guarded(() => gradeFiles(grader, files));
  if (verdict.status !== "scored") return failedGrade(found, verdict);
  const foreign = found.board !== null && !belongsTo(found.board.leaderboard, files.answers, source);
  const board = foreign ? null : found.board;
  const noise =
    options.noiseResamples && board
      ? measureNoise(grader, files, board.leaderboard, options.noiseResamples)
      : null;
  const grade = { ...common, ...describeScore(verdict.score, competition, board, noise) };
  return foreign ? { ...grade, whyNoBoard: OTHER_ANSWERS } : grade;
}

const OTHER_ANSWERS =
  "the board was made on other answers: these data were prepared with another split or other settings";

/** A board that was made, not won, belongs to the answers it was scored on: the same score is worth more on easier rows. */
function belongsTo({ made }: Leaderboard, answers: string, source: Answers): boolean {
  return made === undefined || source.md5(answers) === made.answers;
}

/** Well-formed, or every other outcome that grading has too. */
export type FormatCheck =
  | ({ status: "well-formed" } & Pick<Grade, "competitionId" | "competitionVersion" | "submissionPath">)
  | Exclude<Grade, { status: "scored" }>;

/** Checks a submission's format only: the answers' values are not read and no score exists. */
export async function checkSubmission(
  options: GradeOptions,
  source: Answers = answersOnDisk,
): Promise<FormatCheck> {
  const found = await locate(options, source);
  if ("status" in found) return found;
  const verdict = guarded(() => checkFiles(found.grader, found.files));
  if (verdict.status !== "well-formed") return failedGrade(found, verdict);
  return { status: "well-formed", ...found.common };
}

interface Located {
  loaded: LoadedCompetition;
  grader: Grader;
  board: ReadBoard | null;
  common: Pick<Grade, "competitionId" | "competitionVersion" | "submissionPath" | "direction">;
  files: GradedFiles;
  hint: PrepareHint;
}

type Failed = Exclude<Grade, { status: "scored" }>;

async function locate(options: GradeOptions, source: Answers): Promise<Located | Failed> {
  const { competitionId, submissionPath, competitionVersion = "v1" } = options;
  const asked = { competitionId, competitionVersion, submissionPath };
  const dataDir = dataFolder(options.dataDir);
  let loaded: LoadedCompetition | null;
  let board: ReadBoard | null;
  try {
    loaded = await loadCompetition(competitionId, options.competitionsDir);
    board = loaded === null ? null : readBoard(loaded, dataDir, options.namedBoard);
  } catch (error) {
    return {
      ...asked,
      status: "failed",
      board: null,
      ...harnessFailure("The competition cannot be loaded", error, "user"),
    };
  }
  if (!loaded) {
    const nearest = nearestIds(competitionId);
    const message = `There is no competition "${competitionId}".`;
    const nextStep =
      nearest.length > 0 ? `did you mean: ${nearest.join(", ")}` : "list them all: mlebench list";
    return {
      ...asked,
      status: "unknown-competition",
      nearest,
      message,
      nextStep,
      blame: "user",
      retryable: false,
    };
  }
  const common = { ...asked, direction: loaded.competition.metric.direction };
  const shown = board?.summary ?? null;
  const absent = absence(submissionPath);
  if (absent)
    return {
      ...common,
      status: "missing",
      board: shown,
      message: absent,
      nextStep: null,
      blame: "agent",
      retryable: false,
    };
  const grader = graderOf(loaded.competition, competitionVersion);
  if (grader === null)
    return {
      ...common,
      status: "failed",
      board: shown,
      message: `${competitionId} has no version ${competitionVersion}: nothing of it was corrected.`,
      nextStep: "grade it as v1",
      blame: "user",
      retryable: false,
    };
  const dataVersion = hasCorrectedData(loaded.competition) ? competitionVersion : "v1";
  const hint = { version: dataVersion, dataDir, competitionsDir: options.competitionsDir };
  if (!canGrade(dataDir, loaded.competition, dataVersion)) {
    return {
      ...common,
      status: "unprepared",
      board: shown,
      message: `${competitionId} has no prepared data${versionText(dataVersion)} in ${dataDir}.`,
      nextStep: howToPrepare(loaded, hint),
      blame: "user",
      retryable: true,
    };
  }
  const answers = competitionFile(dataDir, competitionId, loaded.competition.files.answers, dataVersion);
  const files = {
    submission: submissionPath,
    answers,
    source,
    ...(options.limits ? { limits: options.limits } : {}),
  };
  return { loaded, grader, board, common, files, hint };
}

function versionText(version: CompetitionVersion): string {
  return version === "v1" ? "" : ` of version ${version}`;
}

/** Why there is no submission at this path, or null. The original takes nothing but files named .csv. */
function absence(submissionPath: string): string | null {
  if (submissionPath === "") return "No submission was left.";
  let stats: fs.Stats;
  try {
    stats = fs.statSync(submissionPath);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? `There is no file ${submissionPath}.`
      : `${submissionPath} cannot be read (${code}).`;
  }
  if (!stats.isFile()) return `${submissionPath} is ${stats.isDirectory() ? "a folder" : "no regular file"}.`;
  if (path.extname(submissionPath).toLowerCase() !== ".csv") return `${submissionPath} does not end in .csv.`;
  return null;
}

/** A grader's exception is our bug (or that of the user's own competition), never a reason to stop other gradings. */
function guarded<T extends Verdict | FormatVerdict>(run: () => T): T | { status: "crashed"; error: unknown } {
  try {
    return run();
  } catch (error) {
    return { status: "crashed", error };
  }
}

type Unscored = Exclude<Verdict, { status: "scored" }> | { status: "crashed"; error: unknown };

function failedGrade({ common, board, hint }: Located, verdict: Unscored): Failed {
  const shown = board?.summary ?? null;
  switch (verdict.status) {
    case "invalid":
      return { ...common, ...verdict, board: shown };
    case "broken-answers":
      return {
        ...common,
        status: "failed",
        board: shown,
        message: `The answers cannot be used: ${verdict.message}`,
        nextStep: `prepare them again: ${prepareCommand([common.competitionId], hint)}`,
        blame: "task",
        retryable: false,
      };
    case "crashed":
      return {
        ...common,
        status: "failed",
        board: shown,
        ...harnessFailure("Grading failed", verdict.error, "harness"),
      };
  }
}

function harnessFailure(what: string, error: unknown, blame: "harness" | "user") {
  const cause = error instanceof Error ? error.message : String(error);
  return { message: `${what}: ${cause}`, nextStep: null, blame, retryable: false };
}
