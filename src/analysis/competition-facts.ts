import { type CatalogueEntry, catalogue, loadCompetition } from "../competitions/catalogue.ts";
import { readBoard } from "../leaderboards/board-files.ts";
import type { Leaderboard } from "../leaderboards/leaderboard-schema.ts";

/** What analysis needs to know about a competition; both are null for one that nobody knows. */
export interface CompetitionFacts {
  id: string;
  entry: CatalogueEntry | null;
  leaderboard: Leaderboard | null;
}

/** The facts of each named competition, in the given order. */
export async function competitionFacts(
  ids: readonly string[],
  externalFolder?: string,
): Promise<Map<string, CompetitionFacts>> {
  const entries = new Map((await catalogue(externalFolder)).map((entry) => [entry.id, entry]));
  const facts = new Map<string, CompetitionFacts>();
  for (const id of ids) {
    const loaded = await loadCompetition(id, externalFolder);
    // The shipped figures are enough here: the full board, if there is one, was used when grading.
    const board = loaded === null ? null : readBoard(loaded, "");
    facts.set(id, { id, entry: entries.get(id) ?? null, leaderboard: board?.leaderboard ?? null });
  }
  return facts;
}
