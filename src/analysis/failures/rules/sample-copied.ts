import fs from "node:fs";
import path from "node:path";
import { competitionFile } from "../../../data/place/data-folder.ts";
import { readPlainBytes } from "../../../files/plain-file.ts";
import type { Evidence, TrialView } from "../view.ts";

const MAX_BYTES = 256 * 2 ** 20;

/** The submission is the sample submission, but for line ends. Silent when the data are not on this machine. */
export function sampleCopied({ record, facts }: TrialView): Evidence[] {
  const { folder, dataDir, grade, trial } = record;
  if (folder === null || dataDir === null || !facts?.entry || !grade?.submission_exists) return [];
  const version = trial?.competition.version ?? "v1";
  const sample = competitionFile(dataDir, record.competitionId, facts.entry.files.sampleSubmission, version);
  const submission = path.join(folder, "submission", "submission.csv");
  if (!sameText(sample, submission)) return [];
  return [
    { source: "file", where: "submission/submission.csv", text: `is ${path.basename(sample)}, unchanged` },
  ];
}

function sameText(a: string, b: string): boolean {
  const sizes = [a, b].map((file) => {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : -1;
  });
  const [left, right] = sizes;
  if (left < 0 || right < 0 || left > MAX_BYTES || Math.abs(left - right) > 0.5 * left) return false;
  const [first, second] = [a, b].map((file) => readPlainBytes(file, { maxBytes: MAX_BYTES }));
  return first.equals(second) || plain(first) === plain(second);
}

function plain(content: Buffer): string {
  return content.toString("utf8").replaceAll("\r\n", "\n").trimEnd();
}
