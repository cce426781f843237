import type { Results } from "../analysis/results.ts";
import { trialSummary } from "../analysis/trial-summary.ts";
import { methodNotes } from "./text/method-notes.ts";

/** The results for programs: aggregates, every trial in short, failures with their evidence. */
export function resultsJson(results: Results): object {
  const { agents, competitions, ...rest } = results;
  return {
    ...rest,
    method: methodNotes(results),
    competitions: competitions.map(({ id, entry, leaderboard }) => ({
      id,
      category: entry?.category ?? null,
      complexity: entry?.complexity ?? null,
      metric: entry?.metric ?? null,
      leaderboard: leaderboard?.source ?? null,
    })),
    agents: agents.map(({ name, columns, aggregate, deviations, circumstances, rows }) => ({
      name,
      seeds: columns,
      aggregate,
      deviations,
      circumstances,
      trials: rows.flat().flatMap((record) => (record === null ? [] : [trialSummary(record)])),
    })),
  };
}
