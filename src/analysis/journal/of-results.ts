import type { Results } from "../results.ts";
import { searchIn } from "./of-trial.ts";
import type { Search } from "./search.ts";

/** The search of one trial of a report. */
export interface TrialSearch {
  agent: string;
  competitionId: string;
  seed: number;
  /** The trial's name. */
  trial: string;
  search: Search;
}

export interface TrialSearches {
  searches: TrialSearch[];
  /** Trials that were not looked at. */
  left: number;
}

const MAX_SEARCHES = 500;

/** The searches of all trials that kept a journal, in the order of the report. */
export async function searchesOf({ agents }: Results): Promise<TrialSearches> {
  const searches: TrialSearch[] = [];
  let left = 0;
  for (const { name, rows } of agents)
    for (const record of rows.flat()) {
      if (record === null || record.folder === null) continue;
      if (searches.length >= MAX_SEARCHES) {
        left++;
        continue;
      }
      const search = await searchIn(record.folder);
      const { id, competitionId, seed } = record;
      if (search !== null) searches.push({ agent: name, competitionId, seed, trial: id, search });
    }
  return { searches, left };
}
