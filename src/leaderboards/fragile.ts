import { absolute, onCommonScale } from "./decimal.ts";
import type { Leaderboard } from "./leaderboard-schema.ts";
import { awardMedal } from "./medal.ts";

/** Grades carry five decimals, so a finer board cannot be told apart from its neighbour a fifth decimal away. */
const GRADE_DECIMALS = 5;

/** How firmly a result stands. `unit` is the step both flags were measured with. */
export type Fragility = { fragileMedal: boolean; nearMiss: boolean; unit: number };

/**
 * Whether one unit of the board's printed precision could change the medal. `fragileMedal`: the score holds a medal
 * and lies at most one unit inside its threshold. `nearMiss`: the next better medal (bronze, if it holds none) is at
 * most one unit away. Distances are exact decimals; exactly one unit counts.
 */
export function fragility(score: number | null, leaderboard: Leaderboard): Fragility {
  const decimals = printedDecimals(leaderboard);
  const unit = Number(`1e-${decimals}`);
  if (score === null || !Number.isFinite(score)) return { fragileMedal: false, nearMiss: false, unit };
  const { medal } = awardMedal(score, leaderboard);
  const within = (threshold: number) => isWithin(score, threshold, unit);
  const { gold, silver, bronze } = leaderboard;
  switch (medal) {
    case "gold":
      return { fragileMedal: within(gold), nearMiss: false, unit };
    case "silver":
      return { fragileMedal: within(silver), nearMiss: within(gold), unit };
    case "bronze":
      return { fragileMedal: within(bronze), nearMiss: within(silver), unit };
    case null:
      return { fragileMedal: false, nearMiss: within(bronze), unit };
  }
}

/**
 * The number of decimals the board's scores were printed with, at most five. The median is left out: it may be the
 * mean of two scores and then has a decimal, or a dozen, that no score on the board has.
 */
export function printedDecimals({ gold, silver, bronze, quantiles }: Leaderboard): number {
  let decimals = 0;
  for (const score of [gold, silver, bronze, ...quantiles]) {
    while (decimals < GRADE_DECIMALS && !printsWithin(score, decimals)) decimals++;
  }
  return decimals;
}

/** An integer divided by a power of ten gives the very double that its decimal text reads as: no text is needed. */
function printsWithin(score: number, decimals: number): boolean {
  const scale = 10 ** decimals;
  return Math.round(score * scale) / scale === score;
}

function isWithin(score: number, threshold: number, unit: number): boolean {
  const { units } = onCommonScale([score, threshold, unit]);
  return absolute(units[0] - units[1]) <= units[2];
}
