import { bestRung } from "../leaderboards/best-rung.ts";
import type { ResultState } from "./result-states.ts";
import type { Results } from "./results.ts";
import { saysItWasCut } from "./scorecard/artifacts.ts";
import { stateOf, trialSummary } from "./trial-summary.ts";

/** One competition of a demo: what each agent scored, and what the last of them earned and took. */
export interface DemoRow {
  competitionId: string;
  metric: string | null;
  lowerIsBetter: boolean | null;
  /** Null without a valid submission. */
  scores: Record<string, number | null>;
  state: ResultState;
  percentile: number | null;
  seconds: number | null;
  /** Whether the clock cut what the last agent had planned. */
  cut: boolean;
  /** What the medal was won against; null without a board. */
  field: string | null;
  /** The score of the strongest reference solution; null where the board has none. */
  bestRung: number | null;
}

export function demoRows({ agents, competitions }: Results): DemoRow[] {
  return competitions.map(({ id, entry, leaderboard }, row) => {
    const records = agents.map(({ rows }) => rows[row][0] ?? null);
    const last = records.at(-1) ?? null;
    const summary = last === null ? null : trialSummary(last);
    return {
      competitionId: id,
      metric: entry?.metric.name ?? null,
      lowerIsBetter: entry === null ? null : entry.metric.direction === "minimize",
      scores: Object.fromEntries(agents.map(({ name }, i) => [name, records[i]?.grade?.score ?? null])),
      state: stateOf(last),
      percentile: summary?.percentile ?? null,
      seconds: summary?.wallSeconds ?? null,
      cut: last?.folder != null && saysItWasCut(last.folder),
      field: leaderboard?.source ?? null,
      bestRung: leaderboard === null ? null : (bestRung(leaderboard)?.score ?? null),
    };
  });
}
