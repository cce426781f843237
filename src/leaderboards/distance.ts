import { decimalDifference } from "./decimal.ts";
import { type MedalName, reaches, type Thresholds } from "./leaderboard.ts";

/**
 * What must be added to a score to reach each medal: 0 where it is reached, negative on a lower-is-better board.
 * Null for no score and NaN, and for an infinitely bad score, which is at no finite distance from anything.
 */
export function medalDistances(
  score: number | null,
  thresholds: Thresholds,
): Record<MedalName, number> | null {
  if (score === null || Number.isNaN(score)) return null;
  const { lowerIsBetter, gold, silver, bronze } = thresholds;
  if (!Number.isFinite(score) && !reaches(score, gold, lowerIsBetter)) return null;
  const to = (threshold: number) =>
    reaches(score, threshold, lowerIsBetter) ? 0 : decimalDifference(threshold, score);
  return { gold: to(gold), silver: to(silver), bronze: to(bronze) };
}

/**
 * `(score − sample) / (gold − sample)`: 0 for the sample submission, 1 for the gold threshold, above 1 beyond it,
 * whichever direction is better. Null where it has no finite value: a score missing or not finite, gold = sample.
 */
export function normalisedScore(
  score: number | null,
  sampleScore: number | null,
  thresholds: Thresholds,
): number | null {
  if (score === null || sampleScore === null) return null;
  const normalised = (score - sampleScore) / (thresholds.gold - sampleScore);
  return Number.isFinite(normalised) ? normalised : null;
}
