import fs from "node:fs";
import path from "node:path";
import { readRecord } from "../../files/read-record.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { compareText } from "../source/walk-files.ts";
import { IndexEntry } from "./schema.ts";

const KIND = { schema: "mlebench/indexed-repository", version: 1, shape: IndexEntry };

export interface IndexContent {
  entries: IndexEntry[];
  /** Files that are not entries, and why. */
  unreadable: { file: string; why: string }[];
}

/** All entries, by name. One damaged file does not hide the others. */
export function readIndex(folder: string): IndexContent {
  const entries: IndexEntry[] = [];
  const unreadable: IndexContent["unreadable"] = [];
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    if (!name.endsWith(".json")) continue;
    const record = readRecord(path.join(folder, name), KIND);
    if (record.status === "read") entries.push(record.record);
    else if (record.status !== "absent")
      unreadable.push({
        file: name,
        why: record.status === "newer" ? `written by ${record.writer}` : record.why,
      });
  }
  entries.sort((a, b) => compareText(a.name, b.name) || compareText(a.digest, b.digest));
  return { entries, unreadable };
}

/** The same repository from the same place replaces its earlier entry. */
export function writeEntry(folder: string, entry: IndexEntry): "added" | "replaced" | "unchanged" {
  const { entries } = readIndex(folder);
  const earlier = entries.find(({ source, name }) => source === entry.source && name === entry.name);
  if (earlier && JSON.stringify(earlier) === JSON.stringify(entry)) return "unchanged";
  if (earlier) fs.rmSync(path.join(folder, fileOf(earlier)), { force: true });
  writeFileAtomically(path.join(folder, fileOf(entry)), `${JSON.stringify(entry)}\n`);
  return earlier ? "replaced" : "added";
}

const fileOf = ({ name, digest }: IndexEntry) =>
  `${name.replace(/[^\w.-]/g, "_")}-${digest.slice(0, 16)}.json`;
