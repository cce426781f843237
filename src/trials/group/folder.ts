import fs from "node:fs";
import path from "node:path";
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
    return GroupMetadata.parse(JSON.parse(fs.readFileSync(file, "utf8")));
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

function isGroup(folder: string): boolean {
  return fs.existsSync(groupPaths(folder).group);
}

function foldersIn(folder: string): string[] {
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(folder, entry.name))
      .sort();
  } catch {
    return [];
  }
}
