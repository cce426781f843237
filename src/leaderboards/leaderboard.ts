import type { Leaderboard } from "./leaderboard-schema.ts";

/** What decides medals: the size of the board, its direction, the three thresholds and the median. */
export type Thresholds = Pick<
  Leaderboard,
  "teams" | "lowerIsBetter" | "gold" | "silver" | "bronze" | "median"
>;

export type MedalName = "gold" | "silver" | "bronze";

/** Whether `a` is strictly better than `b` on a board of this direction. False whenever one of them is NaN. */
export function isBetter(a: number, b: number, lowerIsBetter: boolean): boolean {
  return lowerIsBetter ? a < b : a > b;
}

/** Whether a score is at least as good as a threshold. False whenever one of them is NaN. */
export function reaches(score: number, threshold: number, lowerIsBetter: boolean): boolean {
  return lowerIsBetter ? score <= threshold : score >= threshold;
}
