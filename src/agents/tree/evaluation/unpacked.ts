import fs from "node:fs";
import path from "node:path";
import { archiveKind } from "../../../archive/archive-kind.ts";
import { extractArchive } from "../../../archive/extract.ts";
import { makeFolder } from "../../../files/make-folder.ts";

/**
 * The data as the original shows them to programs: every archive is replaced by a folder with its content. Ours are
 * never touched: it is a folder of links to them, and of what was unpacked. Null where there is no archive.
 */
export async function unpackedView(data: string, folder: string): Promise<string | null> {
  const names = fs.readdirSync(data).sort();
  const archives = names.filter((name) => isArchive(path.join(data, name)));
  if (archives.length === 0) return null;
  makeFolder(folder);
  for (const name of names) {
    if (archives.includes(name)) {
      const target = path.join(folder, freeName(name, names));
      const unpacked = await extractArchive(path.join(data, name), target);
      if (unpacked.status === "extracted") continue;
    }
    fs.symlinkSync(path.join(data, name), path.join(folder, name));
  }
  return folder;
}

function isArchive(file: string): boolean {
  const isFile = fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && /\.(zip|7z|tar|tgz|tar\.gz)$/i.test(file) && archiveKind(file) !== null;
}

/** Without its ending, unless something of that name stands there already. */
function freeName(name: string, taken: readonly string[]): string {
  const stem = name.replace(/(\.tar)?\.\w+$/i, "");
  return taken.includes(stem) ? `${stem}-unpacked` : stem;
}
