import fs from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it, one by one; nobody else makes folders with parents. `mkdir` with `recursive` never
 * returns where the system denies that a parent exists although it does, as below /proc; here that is an error like any
 * other.
 */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  let place = path.resolve(folder);
  for (; !fs.existsSync(place); place = path.dirname(place)) missing.push(place);
  // What stands there may be a file: asking for the folder then gives the system's own error.
  if (missing.length === 0 && !fs.statSync(place).isDirectory()) missing.push(place);
  for (const one of missing.reverse()) {
    try {
      fs.mkdirSync(one, mode);
    } catch (error) {
      // Another process may have been quicker.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !fs.statSync(one).isDirectory()) throw error;
    }
  }
}
