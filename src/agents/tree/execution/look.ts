import fs from "node:fs";
import path from "node:path";

/**
 * What is another whenever somebody has written to a file or replaced it; "" where there is none. The time of the last
 * change of the entry is the system's own: the one of the content can be set back by anybody.
 */
export function lookOfFile(file: string): string {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
}

/** The same of all that stands in a folder, and not below. */
export function lookOfFolder(folder: string): string {
  try {
    const names = fs.readdirSync(folder).sort();
    return names.map((name) => `${name} ${lookOfFile(path.join(folder, name))}`).join("\n");
  } catch {
    return "";
  }
}
