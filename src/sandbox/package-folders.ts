import fs from "node:fs";
import path from "node:path";

/** This package's folder when it is installed under /usr: it holds graders and leaderboards, and must be covered. */
export function packageFolders(): string[] {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, "package.json"))) {
      const real = fs.realpathSync(folder);
      return real.startsWith("/usr/") ? [real] : [];
    }
  }
  return [];
}
