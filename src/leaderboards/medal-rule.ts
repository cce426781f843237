import type { MedalName, Thresholds } from "./leaderboard.ts";

/**
 * The 1-based board positions whose scores are the medal thresholds, by Kaggle's rule for a board of this size.
 * The shares are double products cut off, not rounded, so the last bit of 0.002·T matters.
 */
export function medalPositions(teams: number): Record<MedalName, number> {
  const share = (part: number) => Math.max(1, Math.trunc(part * teams));
  if (teams < 100) return { gold: share(0.1), silver: share(0.2), bronze: share(0.4) };
  if (teams < 250) return { gold: 10, silver: share(0.2), bronze: share(0.4) };
  const gold = 10 + Math.trunc(0.002 * teams);
  if (teams < 1000) return { gold, silver: 50, bronze: 100 };
  return { gold, silver: share(0.05), bronze: share(0.1) };
}

/**
 * Thresholds of a full board, or null for an empty one. The scores must be finite and in board order, best first:
 * the direction is read off the order (lower is better if the first score is below the last), so a board on which
 * everybody has the same score counts as higher-is-better.
 */
export function thresholdsFromScores(scores: ArrayLike<number>): Thresholds | null {
  const teams = scores.length;
  if (teams === 0) return null;
  const positions = medalPositions(teams);
  return {
    teams,
    lowerIsBetter: scores[0] < scores[teams - 1],
    gold: scores[positions.gold - 1],
    silver: scores[positions.silver - 1],
    bronze: scores[positions.bronze - 1],
    median: median(scores),
  };
}

function median(scores: ArrayLike<number>): number {
  const sorted = Float64Array.from(scores).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
