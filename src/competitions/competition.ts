import type { Grader } from "./grader.ts";

export type Direction = "maximize" | "minimize";

/**
 * `dev` competitions are for trying things out; they belong to no complexity split. `starter` ones are our own: their
 * data comes with the package.
 */
export type Complexity = "low" | "medium" | "high" | "dev" | "starter";

/** A known defect of the task as the original prepares and grades it, and what version v2 does about it. */
export interface Erratum {
  defect: string;
  /** How v2 corrects it, or why it cannot. */
  v2: string;
  /** Whether v2 changes the prepared data, the grader, or nothing (a warning only). */
  corrects: "data" | "grader" | "nothing";
}

/** `v1` is the task as the original has it, defects included; `v2` corrects what can be corrected. */
export type CompetitionVersion = "v1" | "v2";

/** Files are relative to the competition's data folder, `<data>/<id>/`. */
export interface CompetitionFiles {
  answers: string;
  /** Absent from competitions that have none. */
  sampleSubmission: string;
  /** A submission made from the answers, where the answers file itself is not one. */
  goldSubmission?: string;
}

export interface Competition {
  id: string;
  name: string;
  category: string;
  complexity: Complexity;
  /** Whether the contest took a file of predictions (`simple`) or a notebook (`code`). */
  contest: "simple" | "code";
  /** Null where unknown. */
  dataSizeGB: number | null;
  /** ISO dates; null where unknown. */
  opened: string | null;
  closed: string | null;
  metric: { name: string; direction: Direction };
  columns: { id: readonly string[]; target: readonly string[] };
  files: CompetitionFiles;
  /** The raw data, where it comes with the competition: an archive or a folder, relative to the competition's own folder. */
  shippedRaw?: string;
  /** The score of the official sample submission, where it is known. */
  sampleScore?: number;
  errata?: readonly Erratum[];
  grade: Grader;
  /** Corrections that live in code; those of the data live in the preparer. */
  versions?: { v2?: { grade?: Grader } };
}

/**
 * The contract of a competition's folder: `competition.ts` (or `.mjs` outside the package) exports the result as
 * `competition`. The folder also holds `description.md`, and may hold `prepare.ts` and `leaderboard.json`.
 */
export function defineCompetition(competition: Competition): Competition {
  return competition;
}

/** Whether version v2 has data of its own. Where it corrects the grader alone, it is graded on the data of v1. */
export function hasCorrectedData({ errata = [] }: Pick<Competition, "errata">): boolean {
  return errata.some(({ corrects }) => corrects === "data");
}

/** The grader of a version; null when nothing was corrected, so that asking for v2 would quietly give v1. */
export function graderOf(competition: Competition, version: CompetitionVersion): Grader | null {
  if (version === "v1") return competition.grade;
  return competition.versions?.v2?.grade ?? (hasCorrectedData(competition) ? competition.grade : null);
}
