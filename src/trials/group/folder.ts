import fs from "node:fs";
import path from "node:path";
import { MAX_RECORD_BYTES, readPlainText } from "../../files/plain-file.ts";
import { type ReadRecord, type RecordKind, readRecord, recordOrNull } from "../../files/read-record.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { GroupMetadata, RunGroup } from "./schema.ts";

/** Every place in a run group's folder. */
export function groupPaths(folder: string) {
  const place = (...names: string[]) => path.join(folder, ...names);
  return {
    folder,
    group: place("group.json"),
    metadata: place("metadata.json"),
    submissions: place("submission.jsonl"),
    certificate: place("certificate.json"),
    lock: place("group.lock"),
    /** Every attempt of every trial, announced before it begins. */
    starts: place("starts.jsonl"),
    /** What the processes that run its trials tell each other about models. */
    together: place("together"),
    hourly: place("hourly"),
    /** Reports that a later grading replaced. */
    earlier: place("earlier-reports"),
    trial: (id: string) => place(id),
  };
}

const GROUP: RecordKind<RunGroup> = { schema: "mlebench/run-group", version: 1, shape: RunGroup };

/** The plan of a run group, or why there is none. */
export function readGroupRecord(folder: string): ReadRecord<RunGroup> {
  return readRecord(groupPaths(folder).group, GROUP);
}

/** Null when the folder is not a run group of ours that we can read. */
export function readGroup(folder: string): RunGroup | null {
  return recordOrNull(readGroupRecord(folder));
}

export function writeGroup(folder: string, group: RunGroup): void {
  writeFileAtomically(groupPaths(folder).group, `${JSON.stringify(group, null, 2)}\n`);
}

/** The original's own groups count, too. */
export function readMetadata(file: string): GroupMetadata | null {
  try {
    return GroupMetadata.parse(JSON.parse(readPlainText(file, { maxBytes: MAX_RECORD_BYTES })));
  } catch {
    return null;
  }
}

/** The run groups of a folder and, one level deeper, the cells of its experiments; oldest first. */
export function listGroups(runsDir: string): string[] {
  return foldersIn(runsDir).flatMap((folder) =>
    isGroup(folder) ? [folder] : foldersIn(folder).filter(isGroup),
  );
}

/** The same, with groups that the original wrote among them. */
export function listPlaces(runsDir: string): string[] {
  const isPlace = (folder: string) => isGroup(folder) || fs.existsSync(groupPaths(folder).metadata);
  return foldersIn(runsDir).flatMap((folder) =>
    isPlace(folder) ? [folder] : foldersIn(folder).filter(isPlace),
  );
}

/** Whether a name from elsewhere is that of one entry of a folder, and not a way out of it. */
export function isSafeName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with one of them is not a name.
  return /^[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,254}$/.test(name);
}

function isGroup(folder: string): boolean {
  return fs.existsSync(groupPaths(folder).group);
}

/** Folders only: links are not followed, and what is hidden is still being made. */
export function foldersIn(folder: string): string[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map((entry) => path.join(folder, entry.name))
      .sort();
  } catch {
    return [];
  }
}
