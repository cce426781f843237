import fs from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it, one by one. `mkdir` with `recursive` never returns where the system denies that a parent
 * exists although it does, as below /proc; here that is an error like any other.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let place = path.resolve(folder); !fs.existsSync(place); place = path.dirname(place))
    missing.push(place);
  for (const place of missing.reverse()) {
    try {
      fs.mkdirSync(place);
    } catch (error) {
      // Another process may have been quicker.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
