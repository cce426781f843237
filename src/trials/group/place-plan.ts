import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { writeGroup } from "./folder.ts";
import { writeMetadata } from "./record.ts";
import { registerGroup } from "./register.ts";
import type { RunGroup } from "./schema.ts";

const DRAFT = ".planning-";
/** Planning writes two small files; a draft this old belongs to a process that was killed. */
const OLD_DRAFT_MS = 10 * 60_000;

/**
 * Writes the plan into a draft and gives that its name in one step: whenever the process is killed, there is either no
 * group of that name or one that can be resumed. Two groups may start within the same second; a name that the user
 * chose is taken as it is. Null when that is taken.
 */
export function placePlan(
  runsDir: string,
  wanted: string,
  { planCalled, mayVary }: { planCalled(name: string): RunGroup; mayVary: boolean },
): { folder: string; group: RunGroup } | null {
  makeFolder(runsDir);
  removeOldDrafts(runsDir);
  const draft = fs.mkdtempSync(path.join(runsDir, DRAFT));
  try {
    fs.chmodSync(draft, 0o777 & ~process.umask());
    for (let i = 1; ; i++) {
      const name = i === 1 ? wanted : wanted.replace("_run-group_", `-${i}_run-group_`);
      const group = planCalled(name);
      writeGroup(draft, group);
      registerGroup(draft, name);
      writeMetadata(draft, group, new Map());
      const folder = path.join(runsDir, name);
      if (moveTo(draft, folder)) return { folder, group };
      if (!mayVary) return null;
    }
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** False when there is something of that name; an empty folder is nothing. */
function moveTo(draft: string, folder: string): boolean {
  try {
    fs.renameSync(draft, folder);
    return true;
  } catch (error) {
    if (["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return false;
    throw error;
  }
}

export function isTaken(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR";
  }
}

function removeOldDrafts(runsDir: string): void {
  for (const name of fs.readdirSync(runsDir)) {
    if (!name.startsWith(DRAFT)) continue;
    const draft = path.join(runsDir, name);
    const since = Date.now() - (fs.statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (since > OLD_DRAFT_MS) fs.rmSync(draft, { recursive: true, force: true });
  }
}
