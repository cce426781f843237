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

/** The run groups of a folder, oldest first. */
export function listGroups(runsDir: string): string[] {
  if (!fs.existsSync(runsDir)) return [];
  return fs
    .readdirSync(runsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(runsDir, entry.name, "group.json")))
    .map((entry) => path.join(runsDir, entry.name))
    .sort();
}

/** A group by its path or by its name in the runs folder; null when there is none. */
export function findGroup(nameOrPath: string, runsDir: string): string | null {
  for (const folder of [path.resolve(nameOrPath), path.join(runsDir, nameOrPath)])
    if (fs.existsSync(groupPaths(folder).group)) return folder;
  return null;
}

/** A trial by its path, or by its id (or the beginning of it) in any group of the runs folder; null when unclear. */
export function findTrial(nameOrPath: string, runsDir: string): string | null {
  const given = path.resolve(nameOrPath);
  if (fs.existsSync(path.join(given, "trial.json"))) return given;
  const planned = listGroups(runsDir).flatMap((folder) =>
    (readGroup(folder)?.trials ?? []).map(({ id }) => path.join(folder, id)),
  );
  const exact = planned.find((folder) => folder === given || path.basename(folder) === nameOrPath);
  if (exact !== undefined) return exact;
  const matching = planned.filter((folder) => path.basename(folder).startsWith(nameOrPath));
  return matching.length === 1 ? matching[0] : null;
}
