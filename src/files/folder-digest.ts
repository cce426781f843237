import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export interface FileDigest {
  /** Relative to the folder, with `/`. */
  path: string;
  bytes: number;
  sha256: string;
}

/** One file's SHA-256, read in pieces: it may be larger than memory. */
export async function fileDigest(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 2 ** 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** All regular files below a folder, sorted by path. Symbolic links and devices are neither followed nor listed. */
export function regularFiles(folder: string, skip?: (name: string) => boolean): string[] {
  const found: string[] = [];
  const walk = (inside: string) => {
    for (const entry of fs.readdirSync(path.join(folder, inside), { withFileTypes: true })) {
      const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
      if (skip?.(name)) continue;
      if (entry.isDirectory()) walk(name);
      else if (entry.isFile()) found.push(name);
    }
  };
  walk("");
  return found.sort((a, b) => (a < b ? -1 : 1));
}

/** The digest of every file of a folder. */
export async function fileDigests(
  folder: string,
  files: readonly string[] = regularFiles(folder),
): Promise<FileDigest[]> {
  const digests: FileDigest[] = [];
  for (const name of files) digests.push({ path: name, ...(await fileDigest(path.join(folder, name))) });
  return digests;
}

/** One digest for a whole folder: over path, size and SHA-256 of each file. Times and permissions do not count. */
export async function folderDigest(folder: string): Promise<string> {
  return listDigest(await fileDigests(folder));
}

function listDigest(files: readonly FileDigest[]): string {
  const list = files.map(({ path: name, bytes, sha256 }) => `${sha256} ${bytes} ${name}\n`).join("");
  return createHash("sha256").update(list).digest("hex");
}
