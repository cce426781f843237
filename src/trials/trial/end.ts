import fs from "node:fs/promises";
import path from "node:path";
import { readAgentSummary } from "../../agents/kit/agent-summary.ts";
import { captureFile } from "./capture-file.ts";
import { collectFolder, removeTree } from "./collect.ts";
import type { EventLog } from "./events.ts";
import type { TrialPaths } from "./folder.ts";
import type { FinalSubmission, RecordedAgent, Trial } from "./schema.ts";
import { WATCH_LIMITS } from "./submission-watch.ts";

/**
 * Says which file was written after the end, if there is one: it is refused by its hash, whatever times it claims.
 * Everybody must be dead by now.
 */
export async function refuseLateWrite(
  paths: TrialPaths,
  final: FinalSubmission,
  events: EventLog,
  header?: (line: string) => string,
): Promise<void> {
  const file = path.join(paths.work, "submission", "submission.csv");
  const late = await captureFile(file, paths.submissions, {
    maxBytes: WATCH_LIMITS.fileBytes,
    keep: false,
    header,
  });
  if (late.status === "captured" && late.sha256 !== final.sha256)
    events.append("late-write-refused", { sha256: late.sha256, bytes: late.bytes });
}

/** Moves what the agent left to where it is kept, and returns what a reader should know about it. */
export async function collectOutputs(paths: TrialPaths): Promise<string[]> {
  const notes: string[] = [];
  for (const name of ["submission", "logs", "code"] as const)
    notes.push(...(await collectFolder(path.join(paths.work, name), paths[name])));
  return notes;
}

/** What an agent around somebody else's program says of its starts. Secrets are masked by now; anything odd says nothing. */
export function programStarts(paths: TrialPaths, { program }: RecordedAgent): Pick<Trial, "programStarts"> {
  const { commandLine, promptDigests } = (program && readAgentSummary(paths.folder)) ?? {};
  return commandLine && promptDigests ? { programStarts: { commandLine, promptDigests } } : {};
}

/** Makes `submission/submission.csv` the version that counts, and only that. */
export async function placeFinal(paths: TrialPaths, { sha256 }: FinalSubmission): Promise<void> {
  const target = path.join(paths.submission, "submission.csv");
  await removeTree(target);
  if (sha256 === null) return;
  const kept = path.join(paths.submissions, `${sha256}.csv`);
  await fs.copyFile(kept, target, fs.constants.COPYFILE_FICLONE);
}
