import { roundHalfEven } from "../metrics/arithmetic/rounding.ts";
import { isBetter, type MedalName, reaches } from "./leaderboard.ts";
import type { Leaderboard } from "./leaderboard-schema.ts";
import { medalPositions } from "./medal-rule.ts";

/** Where a score would stand among the entries of a board. `exact` is true only when the full board was counted. */
export type Standing = { rank: number; percentile: number; teams: number; exact: boolean };

/** How many teams are strictly better than a score, and how many are better or equal. */
type Ahead = { better: number; betterOrEqual: number };

/** A team whose place (0 = best) and score are both known. */
type KnownTeam = { place: number; score: number };

/**
 * Rank and percentile of a score, or null for no score and NaN. One definition for both ways of counting:
 *
 * - rank = 1 + teams strictly better, so equal scores share the best rank and a score worse than every team's gets
 *   teams + 1 (the submission itself is not one of the teams);
 * - percentile = 100 · (teams strictly worse + half of the teams equal) / teams: 100 beats everybody, 0 nobody.
 *
 * With the full scores (any order) teams are counted. Without, their number is interpolated linearly by score
 * between the nearest teams that the quantiles and medal thresholds reveal, which is off by at most the hundredth of
 * the board between two of them.
 */
export function standing(
  score: number | null,
  leaderboard: Leaderboard,
  fullScores?: ArrayLike<number>,
): Standing | null {
  if (score === null || Number.isNaN(score)) return null;
  const exact = fullScores !== undefined && fullScores.length > 0;
  const teams = exact ? fullScores.length : leaderboard.teams;
  const { better, betterOrEqual } = exact
    ? countAhead(score, fullScores, leaderboard.lowerIsBetter)
    : estimateAhead(score, leaderboard);
  const percentile = (100 * (teams - (better + betterOrEqual) / 2)) / teams;
  return { rank: 1 + Math.round(better), percentile, teams, exact };
}

function countAhead(score: number, scores: ArrayLike<number>, lowerIsBetter: boolean): Ahead {
  let better = 0;
  let equal = 0;
  for (let i = 0; i < scores.length; i++) {
    if (scores[i] === score) equal++;
    else if (isBetter(scores[i], score, lowerIsBetter)) better++;
  }
  return { better, betterOrEqual: better + equal };
}

/**
 * Ties are taken to begin and end at known teams; that keeps the rank monotone where a stretch of equal quantiles
 * meets its neighbours.
 */
function estimateAhead(score: number, leaderboard: Leaderboard): Ahead {
  const { teams, lowerIsBetter } = leaderboard;
  const known = knownTeams(leaderboard);
  const firstNotBetter = known.findIndex((team) => !isBetter(team.score, score, lowerIsBetter));
  if (firstNotBetter === -1) return { better: teams, betterOrEqual: teams };
  const behind = known[firstNotBetter];
  if (behind.score === score) {
    const lastEqual = known.findLast((team) => team.score === score) ?? behind;
    return { better: behind.place, betterOrEqual: lastEqual.place + 1 };
  }
  if (firstNotBetter === 0) return { better: 0, betterOrEqual: 0 };
  const ahead = known[firstNotBetter - 1];
  const between = behind.place - ahead.place - 1;
  const better = ahead.place + 1 + between * fractionOfGap(ahead.score, score, behind.score);
  return { better, betterOrEqual: better };
}

/** How far `score` has come from `ahead` to `behind`. A gap beyond the largest double counts as half crossed. */
function fractionOfGap(ahead: number, score: number, behind: number): number {
  const gap = behind - ahead;
  return Number.isFinite(gap) ? (score - ahead) / gap : 0.5;
}

/** The place of the team whose score is quantile i. Halves go to the even place, of the product in doubles. */
export function quantilePlace(i: number, teams: number): number {
  return roundHalfEven((i / 100) * (teams - 1));
}

/**
 * The teams behind the quantiles, best first. The thresholds add three more, so that a gold score never ranks behind
 * the last gold medal. A threshold that is not in order with the quantiles around it (a board not made by the medal
 * rule) is left out.
 */
function knownTeams({ teams, lowerIsBetter, quantiles, ...thresholds }: Leaderboard): KnownTeam[] {
  const known: KnownTeam[] = [];
  for (let i = 0; i < quantiles.length; i++) {
    const place = quantilePlace(i, teams);
    if (place !== known.at(-1)?.place) known.push({ place, score: quantiles[i] });
  }
  const positions = medalPositions(teams);
  for (const medal of ["gold", "silver", "bronze"] satisfies MedalName[]) {
    const team = { place: positions[medal] - 1, score: thresholds[medal] };
    const next = known.findIndex(({ place }) => place >= team.place);
    if (next < 1 || known[next].place === team.place) continue;
    const fits =
      reaches(known[next - 1].score, team.score, lowerIsBetter) &&
      reaches(team.score, known[next].score, lowerIsBetter);
    if (fits) known.splice(next, 0, team);
  }
  return known;
}
