import fs from "node:fs";
import path from "node:path";

/** Where this package lies: it holds graders, leaderboards, and the answers of what comes with it. */
export function packageFolder(): string | null {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (fs.existsSync(path.join(folder, "package.json"))) return fs.realpathSync(folder);
  return null;
}

/** The same when it is installed under /usr, which agents see: it must be covered there. */
export function packageFolders(): string[] {
  const folder = packageFolder();
  return folder?.startsWith("/usr/") ? [folder] : [];
}
