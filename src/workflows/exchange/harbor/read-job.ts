import fs from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { regularFiles } from "../../../files/folder-digest.ts";
import { CompetitionReport } from "../../../grading/report-schema.ts";
import { safeText } from "../../../wording/safe-text.ts";
import { Trajectory } from "../atif/schema.ts";
import { HarborTrialResult } from "./job-schema.ts";

/** One trial of a job as it was found. Files are read, never run, and links are not followed. */
export interface FoundTrial {
  folder: string;
  result: HarborTrialResult;
  competitionId: string;
  /** Null: not among the artifacts. */
  submission: string | null;
  /** What the exported verifier leaves; null where there is none that can be read. */
  report: CompetitionReport | null;
  trajectory: Trajectory | null;
  notes: string[];
}

export interface FoundJob {
  name: string;
  trials: FoundTrial[];
  /** Folders that were passed over, and why. */
  skipped: { folder: string; reason: string }[];
}

const MAX_JSON_BYTES = 256 * 2 ** 20;
const MAX_ARTIFACTS = 100_000;

/** Reads a finished job; null where the folder does not look like one at all. */
export function readJob(folder: string): FoundJob | null {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const trials: FoundTrial[] = [];
  const skipped: FoundJob["skipped"] = [];
  const entries = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = path.join(folder, name);
    const read = readJson(path.join(place, "result.json"), HarborTrialResult);
    if (read.status === "absent") continue;
    if (read.status === "bad") skipped.push({ folder: name, reason: `result.json ${read.why}` });
    else trials.push(readTrialFolder(place, read.value));
  }
  return trials.length + skipped.length === 0
    ? null
    : { name: path.basename(path.resolve(folder)), trials, skipped };
}

function readTrialFolder(folder: string, result: HarborTrialResult): FoundTrial {
  const notes: string[] = [];
  const optional = <T>(file: string, shape: z.ZodType<T>): T | null => {
    const read = readJson(path.join(folder, file), shape);
    if (read.status === "bad") notes.push(`${file} ${read.why}`);
    return read.status === "read" ? read.value : null;
  };
  const competitionId = competitionOf(result);
  return {
    folder,
    result,
    competitionId,
    submission: findSubmission(path.join(folder, "artifacts"), notes),
    report: believable(optional("verifier/grading_report.json", CompetitionReport), competitionId, notes),
    trajectory: optional("agent/trajectory.json", Trajectory),
    notes,
  };
}

/** A report that is about something else, or that contradicts itself, is nobody's word: our grader writes no such one. */
function believable(
  report: CompetitionReport | null,
  competitionId: string,
  notes: string[],
): CompetitionReport | null {
  if (report === null) return null;
  const why = contradiction(report, competitionId);
  if (why === null) return report;
  notes.push(`verifier/grading_report.json is left out: ${why}`);
  return null;
}

function contradiction(report: CompetitionReport, competitionId: string): string | null {
  const medals = [report.gold_medal, report.silver_medal, report.bronze_medal].filter(Boolean).length;
  if (report.competition_id !== competitionId)
    return `it is about ${safeText(report.competition_id).slice(0, 80)}`;
  if (medals > 1 || report.any_medal !== (medals === 1)) return "its medals contradict each other";
  if (report.valid_submission !== (report.status === "scored"))
    return `it is ${report.status}, and its submission ${report.valid_submission ? "valid" : "not valid"}`;
  if ((report.any_medal || report.above_median) && !report.valid_submission)
    return "it honours a submission that is not valid";
  if (report.percentile !== null && !(report.percentile >= 0 && report.percentile <= 100))
    return `its percentile is ${report.percentile}`;
  return null;
}

/** Tasks of ours are called `mlebench/<competition>`; a local path ends with the same name. */
function competitionOf({ task_name, task_id }: HarborTrialResult): string {
  const name = task_id?.name ?? task_name;
  return path.posix.basename(task_id?.path != null && !name.includes("/") ? task_id.path : name);
}

/** The file nearest to the top, should there be several. */
function findSubmission(artifacts: string, notes: string[]): string | null {
  if (!fs.lstatSync(artifacts, { throwIfNoEntry: false })?.isDirectory()) return null;
  const files = regularFiles(artifacts);
  if (files.length > MAX_ARTIFACTS) notes.push(`it has ${files.length} artifacts`);
  const found = files
    .filter((name) => path.posix.basename(name) === "submission.csv")
    .sort((a, b) => a.split("/").length - b.split("/").length);
  if (found.length > 1) notes.push(`there are ${found.length} files submission.csv; ${found[0]} was taken`);
  return found.length === 0 ? null : path.join(artifacts, found[0]);
}

type ReadJson<T> = { status: "absent" } | { status: "bad"; why: string } | { status: "read"; value: T };

function readJson<T>(file: string, shape: z.ZodType<T>): ReadJson<T> {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return { status: "absent" };
  if (!stat.isFile()) return { status: "bad", why: "is not a plain file" };
  if (stat.size > MAX_JSON_BYTES) return { status: "bad", why: "is too large to be read" };
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return { status: "bad", why: "is not JSON" };
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return { status: "read", value: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    status: "bad",
    why: `is not what Harbor writes (${issue.path.join(".") || "top level"}: ${issue.message})`,
  };
}
