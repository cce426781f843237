import { isBetter } from "../../../leaderboards/leaderboard.ts";
import type { Evidence, TrialView } from "../view.ts";

/** Reasons of an invalid submission that speak of values no metric of its kind can have. */
const RANGE_CODES = new Set(["OUT_OF_RANGE", "WRONG_SUM"]);
/** Metrics between 0 and 1 for which the opposite prediction has the opposite score. */
const REVERSIBLE = /auc|roc|gini/i;

/** The wrong direction or the wrong range: by its own notes, by the grade, or by a score that is good upside down. */
export function metricMisunderstood({ record: { grade }, facts, scored, ownMetrics }: TrialView): Evidence[] {
  const found: Evidence[] = [];
  const metric = facts?.entry?.metric;
  const stated = ownMetrics()?.direction;
  if (metric && stated && stated !== metric.direction)
    found.push({
      source: "file",
      where: "submission/metrics.json",
      text: `says ${stated}; ${metric.name} is to ${metric.direction}`,
    });
  const outOfRange = grade?.reasons?.find(({ code }) => RANGE_CODES.has(code));
  if (outOfRange) found.push({ source: "grade", where: outOfRange.code, text: outOfRange.message });
  const board = facts?.leaderboard;
  const score = grade?.score;
  if (scored && score != null && board && metric && REVERSIBLE.test(metric.name) && score < 0.5) {
    if (isBetter(1 - score, board.median, board.lowerIsBetter))
      found.push({
        source: "grade",
        where: "grading report",
        text: `scores ${score}; turned round it would score ${(1 - score).toFixed(5)}, above the median`,
      });
  }
  return found;
}
