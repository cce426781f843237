import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { readPlainText } from "../files/plain-file.ts";
import { withDecisions } from "./disqualification.ts";

/**
 * What every grading report has, ours and the original's: of each submission the flags that decide what it counts
 * for. Anything else a report holds is let through.
 */
export const GradedRun = z.object({
  competition_id: z.string(),
  gold_medal: z.boolean(),
  silver_medal: z.boolean(),
  bronze_medal: z.boolean(),
  above_median: z.boolean(),
  submission_exists: z.boolean(),
  valid_submission: z.boolean(),
  score: z.number().nullish(),
  percentile: z.number().nullish(),
  /** Whose scores the medals were measured against. Reports of the original do not say: it knows only Kaggle. */
  leaderboard: z.string().nullish(),
  competition_version: z.enum(["v1", "v2"]).nullish(),
  /** Which way scores go; reports of the original and earlier ones of ours do not say. */
  direction: z.enum(["maximize", "minimize"]).nullish(),
  /** The trial, in reports of ours. */
  run_id: z.string().nullish(),
  /** In reports of the original the only thing that names the trial, by a folder on the way. */
  submission_path: z.string().nullish(),
  /** Set by decisions alone, never by what a report says of itself. */
  disqualified: z
    .unknown()
    .transform(() => false as boolean)
    .optional(),
});
export type GradedRun = z.infer<typeof GradedRun>;

const Report = z.object({ competition_reports: z.array(GradedRun) });

export interface ReadReport {
  file: string;
  runs: GradedRun[];
  /** Why the decisions beside it may not be all that were made; absent when they are. */
  doubts?: string[];
}

/** Each doubt with the group whose decisions it is about. */
export function doubtsOf(reports: readonly ReadReport[]): string[] {
  const all = reports.flatMap(({ file, doubts = [] }) =>
    doubts.map((doubt) => `${path.basename(path.dirname(path.resolve(file)))}: ${doubt}`),
  );
  return [...new Set(all)];
}

export type ReportsOutcome = { ok: true; reports: ReadReport[] } | { ok: false; message: string };

/** Reads grading reports in the order of their paths; inside each, runs are sorted by competition, as the original does. */
export function readReports(files: readonly string[]): ReportsOutcome {
  const reports: ReadReport[] = [];
  for (const file of files.toSorted(byText)) {
    const read = readReport(file);
    if (typeof read === "string") return { ok: false, message: `${file}: ${read}` };
    reports.push({ file, ...withDecisions(read, file) });
  }
  return { ok: true, reports };
}

function readReport(file: string): GradedRun[] | string {
  let value: unknown;
  try {
    value = JSON.parse(withoutBareNumbers(readPlainText(file)));
  } catch (error) {
    return `cannot be read as JSON (${(error as Error).message}).`;
  }
  const parsed = Report.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `is not a grading report (${issue.path.join(".") || "top level"}: ${issue.message}).`;
  }
  return parsed.data.competition_reports.toSorted((a, b) => byText(a.competition_id, b.competition_id));
}

/** The original writes NaN and infinities as bare words, which JSON does not know. */
function withoutBareNumbers(text: string): string {
  return text.replace(/(:\s*)(?:NaN|-?Infinity)(?=\s*[,}\]])/g, "$1null");
}

export type FoundReport =
  | { ok: true; file: string }
  | { ok: false; why: "no group" | "not graded" | "graded twice"; message: string };

/** The one grading report that lies directly in a run group's folder; hourly ones lie deeper. */
export function groupReport(folder: string): FoundReport {
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) {
    return { ok: false, why: "no group", message: `There is no run group ${folder}.` };
  }
  const files = fs.readdirSync(folder).filter((name) => /grading_report.*\.json$/.test(name));
  if (files.length === 1) return { ok: true, file: path.join(folder, files[0]) };
  return {
    ok: false,
    why: files.length === 0 ? "not graded" : "graded twice",
    message:
      files.length === 0
        ? `${folder} holds no grading report; grade it first: mlebench grade ${folder}`
        : `${folder} holds ${files.length} grading reports; keep one of ${files.sort().join(", ")}`,
  };
}

export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
