import type { Leaderboard } from "../../leaderboards/leaderboard-schema.ts";
import { thresholdsFromScores } from "../../leaderboards/medal-rule.ts";
import { quantilePlace } from "../../leaderboards/standing.ts";

/** One solution of a field with the score that our grader gave it. */
export interface Entry {
  readonly name: string;
  readonly family: string;
  readonly score: number;
}

/** The leaderboard that a field makes. Every number on it is the score of one of the entries, the median excepted. */
export function boardOf(
  entries: readonly Entry[],
  direction: "maximize" | "minimize",
  made: { readonly seed: number; readonly answers: string },
): Leaderboard {
  const lowerIsBetter = direction === "minimize";
  const scores = entries.map(({ score }) => score).sort((a, b) => (lowerIsBetter ? a - b : b - a));
  const thresholds = thresholdsFromScores(scores);
  if (!thresholds) throw new Error("a field without entries has no board");
  return {
    schema: "mlebench/leaderboard",
    version: 1,
    source: "starter field",
    ...thresholds,
    // The mean of two scores of five decimals has six; what doubles add behind them is noise.
    median: Number(thresholds.median.toFixed(6)),
    lowerIsBetter,
    quantiles: Array.from({ length: 101 }, (_, i) => scores[quantilePlace(i, scores.length)]),
    made: {
      by: "npm run field",
      seed: made.seed,
      answers: made.answers,
      solutions: entries.length,
      families: countFamilies(entries),
    },
  };
}

function countFamilies(entries: readonly Entry[]): Record<string, number> {
  const families = [...new Set(entries.map(({ family }) => family))].sort();
  return Object.fromEntries(
    families.map((family) => [family, entries.filter((entry) => entry.family === family).length]),
  );
}
