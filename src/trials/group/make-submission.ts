import fs from "node:fs";
import path from "node:path";
import { readGroup } from "./folder.ts";
import type { GroupMetadata } from "./schema.ts";

export interface SubmissionLine {
  competition_id: string;
  submission_path: string | null;
  logs_path: string | null;
  code_path: string | null;
}

export interface OutputPlaces {
  /** Relative to a trial's folder; without it whatever there is. */
  relLogPath?: string | undefined;
  relCodePath?: string | undefined;
}

const DEFAULT_LOG = "logs/agent.log";
const DEFAULT_CODE = "code/train.py";

/**
 * The submissions of a run group as `mlebench grade` reads them. Places that do not exist are null; a log or code path
 * that nobody asked for falls back to the whole folder, since agents name their files as they like.
 */
export function submissionLines(
  groupFolder: string,
  { runs }: GroupMetadata,
  { relLogPath, relCodePath }: OutputPlaces = {},
): SubmissionLine[] {
  const planned = new Map(readGroup(groupFolder)?.trials.map(({ id, competitionId }) => [id, competitionId]));
  return Object.keys(runs).map((runId) => {
    const folder = path.join(groupFolder, runId);
    const found = (...names: string[]) =>
      names.map((name) => path.join(folder, name)).find((place) => holdsSomething(place)) ?? null;
    return {
      competition_id: planned.get(runId) ?? runId.split("_")[0],
      submission_path: found("submission/submission.csv"),
      logs_path: relLogPath === undefined ? found(DEFAULT_LOG, "logs", "run.log") : found(relLogPath),
      code_path: relCodePath === undefined ? found(DEFAULT_CODE, "code") : found(relCodePath),
    };
  });
}

export function submissionLinesText(lines: readonly SubmissionLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function holdsSomething(place: string): boolean {
  const stats = fs.statSync(place, { throwIfNoEntry: false });
  return stats !== undefined && (!stats.isDirectory() || fs.readdirSync(place).length > 0);
}
