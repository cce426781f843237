import { readWindow } from "../../files/window.ts";
import { groupPaths } from "../../trials/group/folder.ts";
import { readTrial, trialPaths } from "../../trials/trial/folder.ts";
import { safeText } from "../../wording/safe-text.ts";

/** A trial whose agent could not be started, or crashed, and left nothing. */
export interface FailedTrial {
  id: string;
  message: string;
  /** What was said last about it, or by it; empty where nothing was. */
  lastLine: string;
}

export function failedTrials(folder: string, ids: readonly string[]): FailedTrial[] {
  return ids.flatMap((id) => {
    const paths = trialPaths(groupPaths(folder).trial(id));
    const trial = readTrial(paths.folder);
    const reason = trial?.outcome?.stopReason;
    if ((reason !== "failed" && reason !== "harness error") || trial?.final?.sha256) return [];
    return {
      id,
      message: safeText(trial!.outcome!.message),
      lastLine: lastLineOf(paths.stderr, paths.stdout),
    };
  });
}

const TAIL_BYTES = 4096;
const MAX_LINE = 200;

function lastLineOf(...files: readonly string[]): string {
  for (const file of files) {
    const text = readWindow(file, "end", TAIL_BYTES)?.bytes.toString("utf8") ?? "";
    const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
    if (line !== "") return safeText(line.slice(0, MAX_LINE));
  }
  return "";
}
