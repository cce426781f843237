import path from "node:path";
import { readWindow } from "../../files/window.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { safeText } from "../../wording/safe-text.ts";
import { answer, gone, type Route, wrong } from "./route.ts";

export interface SubmissionDiff {
  lines: number;
  linesBefore: number;
  changed: number;
  /** The first lines that differ. */
  sample: { line: number; before: string | null; after: string | null }[];
  /** Only the beginning of each was compared. */
  cut: boolean;
}

const MAX_BYTES = 16 * 2 ** 20;
const MAX_SAMPLE = 40;
const LONGEST = 200;

/** Two versions of submission.csv, line by line. */
export const submissionDiff: Route = (store, { group = "", trial = "", sha256 = "", before = "" }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  const hashes = [before, sha256];
  if (!hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)))
    return wrong("That is not the hash of a submission.");
  const windows = hashes.map((hash) =>
    readWindow(path.join(trialPaths(folder).submissions, `${hash}.csv`), 0, MAX_BYTES),
  );
  if (windows.some((window) => window === null)) return gone("One of the two versions");
  const [old, fresh] = windows.map((window) => linesOf(window!.bytes));
  const sample: SubmissionDiff["sample"] = [];
  let changed = 0;
  const most = Math.max(old.length, fresh.length);
  for (let i = 0; i < most; i++) {
    if (old[i] === fresh[i]) continue;
    changed++;
    if (sample.length < MAX_SAMPLE)
      sample.push({ line: i + 1, before: shown(old[i]), after: shown(fresh[i]) });
  }
  const diff: SubmissionDiff = {
    lines: fresh.length,
    linesBefore: old.length,
    changed,
    sample,
    cut: windows.some((window) => window!.to < window!.size),
  };
  return answer(diff);
};

/** What stands behind the last line break is a line only where something stands there. */
function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString("latin1").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function shown(line: string | undefined): string | null {
  if (line === undefined) return null;
  const text = safeText(Buffer.from(line.slice(0, LONGEST), "latin1").toString("utf8").trimEnd());
  return line.length > LONGEST ? `${text}…` : text;
}
