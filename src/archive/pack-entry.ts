import { readFileSync, statSync } from "node:fs";
import { checkEntryName } from "./entry-name.ts";

/** What to put into an archive. A folder's name ends with a slash, as in the archive. */
export type PackEntry =
  | { name: string; content: "folder" }
  | { name: string; content: "file"; file: string }
  | { name: string; content: "bytes"; bytes: Uint8Array };

// Larger files are packed as streams.
const readWholeUpTo = 16 * 1024 * 1024;

export type PackSource = { size: number; bytes: Uint8Array } | { size: number; file: string };

/** The content of an entry, read already if small. Throws on a name no reader of ours would accept: a caller's bug. */
export function openPackEntry(entry: PackEntry): PackSource {
  const checked = checkEntryName(entry.name);
  if ("problem" in checked) throw new Error(`archive entry ${JSON.stringify(entry.name)} ${checked.problem}`);
  if (checked.folder !== (entry.content === "folder")) {
    throw new Error(`archive entry ${JSON.stringify(entry.name)}: only a folder's name ends with a slash`);
  }
  if (entry.content === "folder") return { size: 0, bytes: new Uint8Array() };
  if (entry.content === "bytes") return { size: entry.bytes.length, bytes: entry.bytes };
  const size = statSync(entry.file).size;
  return size > readWholeUpTo ? { size, file: entry.file } : { size, bytes: readFileSync(entry.file) };
}
