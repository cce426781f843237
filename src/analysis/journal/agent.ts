import { type OperatorUse, type Search, type Stuck, sumOperators } from "./search.ts";

/** What a search agent did over several trials: which operators paid, where it got stuck. */
export interface AgentSearches {
  operators: OperatorUse[];
  faults: Search["faults"];
  trials: ({
    trial: string;
    steps: number;
    improvements: number;
    best: number | null;
  } & Stuck)[];
}

export function agentSearches(searches: readonly { trial: string; search: Search }[]): AgentSearches {
  const faults = new Map<string, number>();
  for (const { search } of searches)
    for (const { kind, steps } of search.faults) faults.set(kind, (faults.get(kind) ?? 0) + steps);
  return {
    operators: sumOperators(searches.map(({ search }) => search.operators)),
    faults: [...faults].map(([kind, steps]) => ({ kind, steps })).sort((a, b) => b.steps - a.steps),
    trials: searches.map(({ trial, search }) => ({
      trial,
      steps: search.steps.length,
      improvements: search.steps.filter(({ isBest }) => isBest).length,
      ...search.stuck,
      best: search.steps.findLast(({ isBest }) => isBest)?.value ?? null,
    })),
  };
}
