import fc from "fast-check";
import type { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { thresholdsFromScores } from "../../../src/leaderboards/medal-rule.ts";
import { quantilePlace } from "../../../src/leaderboards/standing.ts";

const ENVELOPE = { schema: "mlebench/leaderboard", version: 1, source: "a test" } as const;

/** The summary we would ship for a full board, best score first. */
export function summarise(scores: readonly number[], facts: Partial<Leaderboard> = {}): Leaderboard {
  const thresholds = thresholdsFromScores(scores);
  if (thresholds === null) throw new Error("a test board needs at least one team");
  const quantiles = Array.from({ length: 101 }, (_, i) => scores[quantilePlace(i, scores.length)]);
  return { ...ENVELOPE, ...thresholds, quantiles, ...facts };
}

/** A board of which only these figures matter; the quantiles are gold up to 89 and `last` from 90 on. */
export function sketch(
  facts: Pick<Leaderboard, "gold" | "silver" | "bronze"> & Partial<Leaderboard>,
  last: number,
): Leaderboard {
  const lowerIsBetter = facts.gold < last;
  const quantiles = Array.from({ length: 101 }, (_, i) => (i < 90 ? facts.gold : last));
  return { ...ENVELOPE, teams: 1000, median: facts.bronze, lowerIsBetter, quantiles, ...facts };
}

/** Full boards of either direction, best first, with many ties when few decimals are kept. */
export const fullBoard = fc
  .record({
    raw: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), {
      minLength: 1,
      maxLength: 1500,
      size: "max",
    }),
    decimals: fc.constantFrom(0, 1, 3, 5),
    lowerIsBetter: fc.boolean(),
  })
  .map(({ raw, decimals, lowerIsBetter }) => {
    const scores = raw.map((score) => Number(score.toFixed(decimals))).sort((a, b) => a - b);
    if (!lowerIsBetter) scores.reverse();
    return { scores, board: summarise(scores, { lowerIsBetter }) };
  });
