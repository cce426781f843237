import fs from "node:fs";
import { createRequire, register } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CatalogueEntry, CompetitionModule, LoadedCompetition } from "./catalogue.ts";
import type { Competition } from "./competition.ts";

const MODULE = "competition.mjs";

/** A folder or file that the user wrote cannot be used. Thrown, because it can surface wherever an id is looked up. */
class BadCompetitionError extends Error {
  override name = "BadCompetitionError";
}

/**
 * The competitions of a user's own folder: each sub-folder with a `competition.mjs` is one. Throws when the folder is
 * missing or a module in it is broken, since only its author can mend that.
 */
export async function externalEntries(root: string): Promise<CatalogueEntry[]> {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(root, { withFileTypes: true });
  } catch (error) {
    throw new BadCompetitionError(
      `the folder of your own competitions cannot be read: ${(error as Error).message}`,
    );
  }
  const folders = entries.filter(
    (entry) => entry.isDirectory() && fs.existsSync(path.join(root, entry.name, MODULE)),
  );
  const loaded = await Promise.all(folders.map((entry) => externalCompetition(root, entry.name)));
  return loaded.flatMap((found) => (found ? [catalogueEntry(found.competition)] : []));
}

export async function externalCompetition(root: string, id: string): Promise<LoadedCompetition | null> {
  // An id is one folder name, never a path: it may come from a submissions file.
  if (path.basename(id) !== id) return null;
  const folder = path.resolve(root, id);
  const file = path.join(folder, MODULE);
  if (!fs.existsSync(file)) return null;
  if (!findsOurName(file)) resolveOurOwnName();
  const competition = await importCompetition(file);
  if (competition.id !== id)
    throw new BadCompetitionError(`${file} calls itself ${competition.id}, its folder ${id}`);
  return { competition, folder: pathToFileURL(`${folder}/`) };
}

async function importCompetition(file: string): Promise<Competition> {
  let module: Partial<CompetitionModule>;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new BadCompetitionError(`${file} cannot be loaded: ${(error as Error).message}`);
  }
  if (!module.competition) throw new BadCompetitionError(`${file} does not export "competition"`);
  return module.competition;
}

function catalogueEntry(competition: Competition): CatalogueEntry {
  const { id, name, category, complexity, metric, dataSizeGB, files, errata } = competition;
  return { id, name, category, complexity, metric, dataSizeGB, files, errata: errata?.length ?? 0 };
}

/** Whether the file has our package within its reach already, as in a project that depends on it. */
function findsOurName(file: string): boolean {
  try {
    createRequire(file).resolve("mlebench/competition");
    return true;
  } catch {
    return false;
  }
}

let registered = false;

/**
 * Lets a file anywhere on disk write `import … from "mlebench/competition"`: such a folder has no node_modules of
 * its own, so the name is resolved from here. Costs a thread of its own, hence only where it is needed.
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
