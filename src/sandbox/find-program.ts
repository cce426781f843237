import fs from "node:fs";
import path from "node:path";

/** A program's full path, also from the folders that only root has in its PATH; null when it is not installed. */
export function findProgram(name: string): string | null {
  const folders = [
    ...(process.env.PATH ?? "").split(path.delimiter),
    "/usr/sbin",
    "/sbin",
    "/usr/bin",
    "/bin",
  ];
  for (const folder of folders.filter((each) => path.isAbsolute(each))) {
    const file = path.join(folder, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return file;
    } catch {
      // Not here.
    }
  }
  return null;
}
