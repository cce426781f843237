import fs from "node:fs";
import { createRequire, register } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { badCompetition } from "../wording/bad-competition.ts";
import type { CatalogueEntry, CompetitionModule, LoadedCompetition } from "./catalogue.ts";
import type { Competition } from "./competition.ts";

const MODULE = "competition.mjs";

/**
 * The competitions of a user's own folder: each sub-folder with a `competition.mjs` is one. Throws when the folder is
 * missing. One that is broken is told to `onBroken` and left out: it must not take the others with it.
 */
export async function externalEntries(
  root: string,
  onBroken: (message: string) => void = () => {},
): Promise<CatalogueEntry[]> {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(root, { withFileTypes: true });
  } catch (error) {
    throw badCompetition(`the folder of your own competitions cannot be read: ${(error as Error).message}`);
  }
  const folders = entries.filter(
    (entry) => entry.isDirectory() && fs.existsSync(path.join(root, entry.name, MODULE)),
  );
  const loaded = await Promise.allSettled(folders.map((entry) => externalCompetition(root, entry.name)));
  return loaded.flatMap((found) => {
    if (found.status === "fulfilled") return found.value ? [catalogueEntry(found.value.competition)] : [];
    onBroken((found.reason as Error).message);
    return [];
  });
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
    throw badCompetition(
      `${file} calls itself ${competition.id}; the id must be the name of its folder, "${id}"`,
    );
  // Loaded here, since grading one of ours must not pay for it.
  const { competitionProblems } = await import("./external-schema.ts");
  const problems = competitionProblems(competition);
  if (problems.length > 0) throw badCompetition(`${file}: ${problems.join("; ")}`);
  return { competition, folder: pathToFileURL(`${folder}/`) };
}

async function importCompetition(file: string): Promise<Competition> {
  let module: Partial<CompetitionModule>;
  try {
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw badCompetition(`${file} cannot be loaded: ${(error as Error).message}`);
  }
  if (!module.competition)
    throw badCompetition(
      `${file} does not export "competition" (it exports ${Object.keys(module).join(", ") || "nothing"})`,
    );
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
