import { isBetter, type MedalName, reaches, type Thresholds } from "./leaderboard.ts";

/** What a score earns. At most one of the three medal flags is set: the best one. */
export type Award = {
  medal: MedalName | null;
  goldMedal: boolean;
  silverMedal: boolean;
  bronzeMedal: boolean;
  anyMedal: boolean;
  aboveMedian: boolean;
};

/**
 * The medal of a graded (already rounded) score. Equalling a threshold earns the medal, but equalling the median is
 * not above it. No score and NaN earn nothing; infinities compare like any number, so the right one wins gold.
 */
export function awardMedal(score: number | null, thresholds: Thresholds): Award {
  const medal = score === null ? null : bestMedal(score, thresholds);
  return {
    medal,
    goldMedal: medal === "gold",
    silverMedal: medal === "silver",
    bronzeMedal: medal === "bronze",
    anyMedal: medal !== null,
    aboveMedian: score !== null && isBetter(score, thresholds.median, thresholds.lowerIsBetter),
  };
}

function bestMedal(score: number, { lowerIsBetter, gold, silver, bronze }: Thresholds): MedalName | null {
  if (reaches(score, gold, lowerIsBetter)) return "gold";
  if (reaches(score, silver, lowerIsBetter)) return "silver";
  if (reaches(score, bronze, lowerIsBetter)) return "bronze";
  return null;
}
