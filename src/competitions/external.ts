import fs from "node:fs";
import { register } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CatalogueEntry, CompetitionModule, LoadedCompetition } from "./catalogue.ts";
import type { Competition } from "./competition.ts";

const MODULE = "competition.mjs";

/**
 * The competitions of a user's own folder: each sub-folder with a `competition.mjs` is one. Throws when the folder is
 * missing or a module in it is broken, since only its author can mend that.
 */
export async function externalEntries(root: string): Promise<CatalogueEntry[]> {
  if (!fs.existsSync(root)) throw new Error(`there is no folder ${root}`);
  const folders = fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(root, entry.name, MODULE)));
  const loaded = await Promise.all(folders.map((entry) => externalCompetition(root, entry.name)));
  return loaded.flatMap((found) => (found ? [catalogueEntry(found.competition)] : []));
}

export async function externalCompetition(root: string, id: string): Promise<LoadedCompetition | null> {
  // An id is one folder name, never a path: it may come from a submissions file.
  if (path.basename(id) !== id) return null;
  const folder = path.resolve(root, id);
  const file = path.join(folder, MODULE);
  if (!fs.existsSync(file)) return null;
  resolveOurOwnName();
  const module = (await import(pathToFileURL(file).href)) as Partial<CompetitionModule>;
  if (!module.competition) throw new Error(`${file} does not export "competition"`);
  if (module.competition.id !== id)
    throw new Error(`${file} calls itself ${module.competition.id}, its folder ${id}`);
  return { competition: module.competition, folder: pathToFileURL(`${folder}/`) };
}

function catalogueEntry(competition: Competition): CatalogueEntry {
  const { id, name, category, complexity, metric, dataSizeGB, files, errata } = competition;
  return { id, name, category, complexity, metric, dataSizeGB, files, errata: errata?.length ?? 0 };
}

let registered = false;

/**
 * Lets a file anywhere on disk write `import … from "mlebench/competition"`: such a folder has no node_modules of
 * its own, so the name is resolved from here.
 */
function resolveOurOwnName(): void {
  if (registered) return;
  registered = true;
  const hook = `
    let here;
    export function initialize(data) { here = data.here; }
    export function resolve(specifier, context, next) {
      const ours = specifier === "mlebench" || specifier.startsWith("mlebench/");
      return next(specifier, ours ? { ...context, parentURL: here } : context);
    }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`, { data: { here: import.meta.url } });
}
