import type { Leaderboard, Rung } from "../../leaderboards/leaderboard-schema.ts";
import { thresholdsFromScores } from "../../leaderboards/medal-rule.ts";
import { quantilePlace } from "../../leaderboards/standing.ts";

/** One solution of a field with the score that our grader gave it. */
export interface Entry {
  readonly name: string;
  readonly family: string;
  readonly score: number;
}

/** What is left of a field once it has been run: enough to make its board anew when the rungs change. */
export interface Account {
  readonly seed: number;
  /** The MD5 of the answers. */
  readonly answers: string;
  readonly families: Record<string, number>;
  /** 101 quantiles of its scores, best first: this is who stands on the board, so that no field counts more than another. */
  readonly scores: readonly number[];
}

const STANDING = 101;

export function accountOf(
  entries: readonly Entry[],
  direction: "maximize" | "minimize",
  made: { readonly seed: number; readonly answers: string },
): Account {
  const scores = bestFirst(
    entries.map(({ score }) => score),
    direction,
  );
  const standing = Array.from({ length: STANDING }, (_, i) => scores[quantilePlace(i, scores.length)]);
  return { ...made, families: countFamilies(entries), scores: standing };
}

/**
 * The leaderboard that a field and its rungs make. Every number on it is the score of one of them, the median excepted.
 */
export function boardOf(
  field: Account,
  rungs: readonly Rung[],
  direction: "maximize" | "minimize",
  replaced: Pick<Leaderboard, "earlier"> & { readonly noise?: number },
): Leaderboard {
  const lowerIsBetter = direction === "minimize";
  const scores = bestFirst([...field.scores, ...rungs.map(({ score }) => score)], direction);
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
      seed: field.seed,
      answers: field.answers,
      solutions: Object.values(field.families).reduce((sum, count) => sum + count, 0),
      families: field.families,
      rungs: [...rungs],
      scores: [...field.scores],
      ...(replaced.noise === undefined ? {} : { noise: replaced.noise }),
    },
    ...(replaced.earlier === undefined ? {} : { earlier: replaced.earlier }),
  };
}

function bestFirst(scores: number[], direction: "maximize" | "minimize"): number[] {
  return scores.sort((a, b) => (direction === "minimize" ? a - b : b - a));
}

function countFamilies(entries: readonly Entry[]): Record<string, number> {
  const families = [...new Set(entries.map(({ family }) => family))].sort();
  return Object.fromEntries(
    families.map((family) => [family, entries.filter((entry) => entry.family === family).length]),
  );
}
