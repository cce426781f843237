import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const MAX_FILES = 5000;

/**
 * Makes sure that everything below a folder survives a power cut, before the folder gets the name that makes it count.
 * File by file where there are few; for a million images the system's own `sync` of the whole disk is far faster.
 */
export function flushFolder(folder: string): void {
  const files = listUpTo(folder, MAX_FILES);
  if (files === null && spawnSync("sync", ["-f", folder], { stdio: "ignore" }).status === 0) return;
  for (const file of files ?? listUpTo(folder, Number.POSITIVE_INFINITY)!) flush(file);
}

/** Flushes one file or, so that its names are kept, one folder. Windows flushes no folders. */
export function flush(file: string): void {
  if (process.platform === "win32" && fs.statSync(file).isDirectory()) return;
  const handle = fs.openSync(file, "r");
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    // Some network file systems know no fsync of folders; the rename that follows is as good as it gets there.
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
  } finally {
    fs.closeSync(handle);
  }
}

/** All files and folders, files first; null when there are more than so many. */
function listUpTo(folder: string, most: number): string[] | null {
  const files: string[] = [];
  const folders = [folder];
  for (let i = 0; i < folders.length; i++) {
    for (const entry of fs.readdirSync(folders[i], { withFileTypes: true })) {
      const place = path.join(folders[i], entry.name);
      if (entry.isDirectory()) folders.push(place);
      else if (entry.isFile()) files.push(place);
      if (files.length + folders.length > most) return null;
    }
  }
  return [...files, ...folders.reverse()];
}
