import { standing } from "../../../leaderboards/standing.ts";
import type { Evidence, TrialView } from "../view.ts";

/** Percentage points between where its own validation would stand and where its submission stands. */
const FAR_BETTER = 30;

/** Its own validation, taken for a score, would stand far above what it earned. Needs metrics.json and a board. */
export function overfit({ record: { grade }, facts, scored, ownMetrics }: TrialView): Evidence[] {
  const own = ownMetrics();
  const board = facts?.leaderboard;
  const metric = facts?.entry?.metric;
  if (!scored || own === null || !board || !metric || own.direction !== metric.direction) return [];
  const earned = grade?.percentile ?? standing(grade?.score ?? null, board)?.percentile;
  const hoped = standing(own.value, board)?.percentile;
  if (earned === undefined || hoped === undefined || hoped - earned < FAR_BETTER) return [];
  return [
    {
      source: "measurement",
      where: "submission/metrics.json",
      text: `own validation ${own.value} would stand at percentile ${hoped.toFixed(1)}; the test score ${grade?.score} stands at ${earned.toFixed(1)}`,
    },
  ];
}
