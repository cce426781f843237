import { closeSync, openSync } from "node:fs";
import { readAt } from "./zip-numbers.ts";

export type ArchiveKind = "zip" | "7z" | "tar" | "gzip";

const magics: [ArchiveKind, number, string][] = [
  ["zip", 0, "PK\x03\x04"],
  ["zip", 0, "PK\x05\x06"],
  ["7z", 0, "7z\xbc\xaf\x27\x1c"],
  ["gzip", 0, "\x1f\x8b"],
  ["tar", 257, "ustar"],
];

/** The format by the file's first bytes, never by its name: a plain tar called `.tar.gz` is a tar. Null if unknown. */
export function archiveKind(path: string): ArchiveKind | null {
  const fd = openSync(path, "r");
  try {
    const head = readAt(fd, 0, 512).toString("latin1");
    return magics.find(([, at, magic]) => head.startsWith(magic, at))?.[0] ?? null;
  } finally {
    closeSync(fd);
  }
}
