import fs from "node:fs";
import path from "node:path";
import { writeFileAtomically } from "../../files/write-file.ts";
import { languageOf } from "../../repositories/parse/languages.ts";
import { kernelsFolder } from "./place.ts";

export interface ImportedKernels {
  competitionId: string;
  imported: number;
  /** Files of no language we parse, or larger than a notebook is. */
  skipped: number;
}

const MAX_BYTES = 20_000_000;
const MAX_KERNELS = 1000;

/**
 * Copies notebooks and scripts into the data folder: from a folder with one folder for each competition (the original's
 * `competitions/<id>/kernels`), or from a folder of notebooks of one competition. Names become `author_slug.ext`, as the
 * original has them. Links are not followed, and nothing that is there is removed.
 */
export function importKernels(options: {
  from: string;
  dataDir: string;
  ids: readonly string[];
  /** All of it belongs to this one. */
  competitionId?: string | undefined;
}): ImportedKernels[] {
  const { from, dataDir, ids, competitionId } = options;
  if (competitionId !== undefined) return [copyFolder(from, competitionId, dataDir)];
  const root = path.join(from, "mlebench", "competitions");
  const base = fs.existsSync(root) ? root : from;
  return ids.flatMap((id) => {
    const place = [path.join(base, id, "kernels"), path.join(base, id)].find((folder) =>
      fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory(),
    );
    return place === undefined ? [] : [copyFolder(place, id, dataDir)];
  });
}

function copyFolder(folder: string, competitionId: string, dataDir: string): ImportedKernels {
  const result: ImportedKernels = { competitionId, imported: 0, skipped: 0 };
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(folder, entry.name);
    const fits = languageOf(entry.name) !== null && fs.statSync(file).size <= MAX_BYTES;
    if (!fits || result.imported >= MAX_KERNELS) {
      result.skipped++;
      continue;
    }
    const target = path.join(kernelsFolder(dataDir, competitionId), kernelName(entry.name));
    writeFileAtomically(target, fs.readFileSync(file));
    result.imported++;
  }
  return result;
}

/** `author__slug.ipynb` as our own downloads are called becomes `author_slug.ipynb`. */
function kernelName(name: string): string {
  return name.replace("__", "_").replace(/[^\w.-]/g, "_");
}
