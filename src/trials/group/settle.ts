import fs from "node:fs";
import { lockOwner, takeLock } from "../../files/lock-file.ts";
import { readSigningKey } from "../certificate/signing.ts";
import { groupPaths, readMetadata } from "./folder.ts";
import { closeGroup, describeRun, writeMetadata } from "./record.ts";
import type { GroupMetadata, RunGroup } from "./schema.ts";

/**
 * Brings a group's own files up to date after a trial that nobody drives a group for. Whoever drives it does so at its
 * end; of several that end at once, the one who has the lock looks again after it has given it back.
 */
export async function settleGroup(folder: string, group: RunGroup): Promise<void> {
  const paths = groupPaths(folder);
  // Whoever drives the group does it at its end; of thousands of trials each would read all others for nothing.
  if (lockOwner(paths.lock) !== null || isFresh(paths.metadata, group.trials.length)) return;
  const key = group.settings.signingKey === null ? null : readSigningKey(group.settings.signingKey);
  for (;;) {
    const runs = finishedRuns(folder, group);
    const known = Object.keys(readMetadata(paths.metadata)?.runs ?? {});
    const closed = fs.existsSync(paths.certificate);
    if (closed && [...runs.keys()].every((id) => known.includes(id))) return;
    const lock = takeLock(paths.lock, "group-lock", { beats: true });
    if (lock.status === "busy") return;
    try {
      writeMetadata(folder, group, finishedRuns(folder, group));
      await closeGroup(folder, group, key);
    } finally {
      lock.release();
    }
  }
}

/** Of a large group that nobody drives, the files are brought up to date now and then; `resume` completes them. */
function isFresh(metadata: string, trials: number): boolean {
  if (trials <= SMALL) return false;
  const age = Date.now() - (fs.statSync(metadata, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age >= 0 && age < trials * FRESH_MS_PER_TRIAL;
}

const SMALL = 100;
const FRESH_MS_PER_TRIAL = 20;

function finishedRuns(folder: string, group: RunGroup): Map<string, GroupMetadata["runs"][string]> {
  const runs = new Map<string, GroupMetadata["runs"][string]>();
  for (const { id } of group.trials) {
    const run = describeRun(groupPaths(folder).trial(id));
    if (run !== null) runs.set(id, run);
  }
  return runs;
}
