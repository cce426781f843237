import { ENTRIES } from "./catalogue.generated.ts";
import type { Competition } from "./competition.ts";
import { externalCompetition, externalEntries } from "./external.ts";

/** What can be told about a competition without loading it. */
export type CatalogueEntry = Pick<
  Competition,
  "id" | "name" | "category" | "complexity" | "metric" | "dataSizeGB" | "files"
> & { errata: number };

export interface CompetitionModule {
  competition: Competition;
}

/** A loaded competition and the folder its description and leaderboard lie in. */
export interface LoadedCompetition {
  competition: Competition;
  folder: URL;
}

declare const __COMPETITIONS_FOLDER__: string | undefined;
// In the bundle this module lies elsewhere; the build says where the folders are.
const FOLDER = new URL(
  typeof __COMPETITIONS_FOLDER__ === "undefined" ? "./" : __COMPETITIONS_FOLDER__,
  import.meta.url,
);

/**
 * Every competition of the package, and those of the user's own folder if one is named; of these the broken ones are
 * left out, and told to `onBroken`.
 */
export async function catalogue(
  externalFolder?: string,
  onBroken?: (message: string) => void,
): Promise<readonly CatalogueEntry[]> {
  return externalFolder ? [...ENTRIES, ...(await externalEntries(externalFolder, onBroken))] : ENTRIES;
}

/** Where the files beside a competition of the package lie. */
export function competitionFolder(id: string): URL {
  return new URL(`${id}/`, FOLDER);
}

/** Null when there is no competition of that id. The user's own folder comes second: it cannot replace one of ours. */
export async function loadCompetition(
  id: string,
  externalFolder?: string,
): Promise<LoadedCompetition | null> {
  const { COMPETITIONS } = await import("./competitions.generated.ts");
  if (Object.hasOwn(COMPETITIONS, id))
    return { competition: COMPETITIONS[id], folder: competitionFolder(id) };
  return externalFolder ? externalCompetition(externalFolder, id) : null;
}
