import fs from "node:fs";
import path from "node:path";
import type { Omission } from "../audit-schema.ts";

/** Which part of the data a file belongs to, by its path; null when the path does not say. */
export type Side = "train" | "test" | null;

/** A file an agent can read. */
export interface PublicFile {
  /** Relative to the public folder; a member of an archive is `archive.zip/member`. */
  path: string;
  /** Where its bytes lie; null for a member of an archive that was listed but not unpacked. */
  location: string | null;
  bytes: number;
  side: Side;
}

/** The first word of the path that says so: `test_images/a.png`, `en_train.csv.zip`, `nybg2020/test/x.jpg`. */
export function sideOf(file: string): Side {
  const word = /(?:^|[/_.\s-])(test|train)/i.exec(file)?.[1];
  return word === undefined ? null : (word.toLowerCase() as Side);
}

/** All files below a folder in a stable order. Links to folders are not followed: they could lead anywhere. */
export function listPublicFiles(root: string): { files: PublicFile[]; notScanned: Omission[] } {
  const files: PublicFile[] = [];
  const notScanned: Omission[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const location = path.join(root, file);
      if (entry.isDirectory()) folders.push(file);
      else {
        const info = fs.statSync(location, { throwIfNoEntry: false });
        if (info?.isFile()) files.push({ path: file, location, bytes: info.size, side: sideOf(file) });
        else notScanned.push({ file, reason: "it is a link to a folder or to nowhere, or no regular file" });
      }
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, notScanned };
}

/** At most `count` of the items, evenly spread over all of them, always the same ones. */
export function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]);
}
