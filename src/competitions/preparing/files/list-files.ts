import fs from "node:fs";
import path from "node:path";
import { compareCodePoints } from "../../../table/rows/code-point-order.ts";
import { missingFile } from "../stop-preparing.ts";

/** Names of the files in a folder that end in `suffix`, in Python's order of texts. A folder that is not there ends the preparation. */
export function listFiles(folder: string, suffix = ""): string[] {
  return entries(folder)
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(suffix))
    .map((entry) => entry.name)
    .sort(compareCodePoints);
}

/** Names of the folders in a folder, in Python's order of texts. */
export function listFolders(folder: string): string[] {
  return entries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort(compareCodePoints);
}

/** All files below a folder, as paths relative to it with slashes, ordered as Python orders paths: folder by folder, not as one text. */
export function listTree(folder: string, suffix = ""): string[] {
  return tree(folder, suffix, "");
}

function tree(folder: string, suffix: string, inside: string): string[] {
  return entries(path.join(folder, inside))
    .sort((a, b) => compareCodePoints(a.name, b.name))
    .flatMap((entry) => {
      const file = inside === "" ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) return tree(folder, suffix, file);
      return entry.name.endsWith(suffix) ? [file] : [];
    });
}

/** "a/b.tar.gz" → "b.tar": only the last extension goes, as with Python's `stem`. */
export function stem(file: string): string {
  return path.basename(file, path.extname(file));
}

function entries(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      missingFile(path.basename(folder));
    throw error;
  }
}
