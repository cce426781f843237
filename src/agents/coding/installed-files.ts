import { createHash, type Hash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** What the files of an installed program were when npm was done with them. */
export interface InstalledFiles {
  /** Over path and content of every file, and where every link leads. */
  digest: string;
  /** Over sizes and times: where it is still the same, nothing was written since, and nothing need be read. */
  stamp: string;
}

export function installedFiles(folder: string): InstalledFiles {
  return { digest: filesDigest(folder), stamp: filesStamp(folder) };
}

/** Whether a program is what npm installed. A copy of it has other times, so then its files are read. */
export function isUnchanged(folder: string, { digest, stamp }: InstalledFiles): boolean {
  try {
    return filesStamp(folder) === stamp || filesDigest(folder) === digest;
  } catch {
    return false;
  }
}

function filesStamp(folder: string): string {
  return overAll(folder, (hash, _, { size, mtimeMs, ctimeMs }) =>
    hash.update(`${size} ${mtimeMs} ${ctimeMs}`),
  );
}

function filesDigest(folder: string): string {
  return overAll(folder, (hash, place, status) => {
    if (status.isSymbolicLink()) hash.update(`link ${fs.readlinkSync(place)}`);
    else if (status.isFile()) hash.update(`file ${status.mode & 0o111 ? "x" : ""} ${contentDigest(place)}`);
    else hash.update("something else");
  });
}

/** npm's own notes, which name the registry that the packages came from. */
const NOTES = ".package-lock.json";

/** Everything below the folder that is not a folder, in one order everywhere. */
function overAll(folder: string, take: (hash: Hash, place: string, status: fs.Stats) => void): string {
  const hash = createHash("sha256");
  const walk = (inside: string) => {
    for (const name of fs.readdirSync(path.join(folder, inside)).sort()) {
      const one = inside === "" ? name : `${inside}/${name}`;
      if (one === NOTES) continue;
      const place = path.join(folder, one);
      const status = fs.lstatSync(place);
      if (status.isDirectory()) {
        walk(one);
        continue;
      }
      hash.update(`${JSON.stringify(one)} `);
      take(hash, place, status);
      hash.update("\n");
    }
  };
  walk("");
  return hash.digest("hex");
}

/** In pieces: some of these programs are a file of 200 MB. */
function contentDigest(file: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(1 << 20);
  const handle = fs.openSync(file, "r");
  try {
    for (let read = fs.readSync(handle, piece); read > 0; read = fs.readSync(handle, piece))
      hash.update(piece.subarray(0, read));
  } finally {
    fs.closeSync(handle);
  }
  return hash.digest("hex");
}
