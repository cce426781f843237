import type { Direction } from "../../competitions/competition.ts";
import { hasMedal, meanOf } from "../aggregate/original-aggregate.ts";
import type { GradedRun } from "../reports.ts";
import { type Interval, overSeedsInterval } from "../statistics/intervals.ts";
import { isBoardless, type Pair, percentileOf } from "./pair.ts";

/** What one agent reached in one competition, over the seeds that both ran. */
export interface ComparedSide {
  runs: number;
  medals: number;
  percentile: number | null;
  /** Mean of the runs that have a score; null when none has. */
  score: number | null;
  /** How many have one. */
  scored: number;
}

export interface ComparedCompetition {
  competitionId: string;
  a: ComparedSide;
  b: ComparedSide;
  /** Which way its scores go; null where nobody knows. */
  direction: Direction | null;
  /** A − B of the scores' means with its interval over seeds, where the competition has no board to compare on. */
  scoreDifference: { mean: number; overSeeds: Interval | null } | null;
  /** Who has more medals; then the higher mean percentile; then more runs with a score, then the better mean score. */
  winner: "a" | "b" | "tie";
}

/** Only seeds that both ran count, so that a missing run decides nothing. */
export function byCompetition(pair: Pair, direction: Direction | null): ComparedCompetition {
  const both = pair.a.flatMap((a, seed) => {
    const b = pair.b[seed];
    return a === null || b === null ? [] : [{ a, b }];
  });
  const [a, b] = [summary(both.map((runs) => runs.a)), summary(both.map((runs) => runs.b))];
  const scores = both.flatMap((runs) =>
    runs.a.score == null || runs.b.score == null ? [] : [runs.a.score - runs.b.score],
  );
  const lead =
    a.medals - b.medals ||
    (a.percentile ?? 0) - (b.percentile ?? 0) ||
    a.scored - b.scored ||
    scoresLead(a.score, b.score, direction);
  return {
    competitionId: pair.competitionId,
    ...{ a, b, direction },
    scoreDifference:
      isBoardless(pair) && scores.length > 0
        ? { mean: meanOf(scores), overSeeds: overSeedsInterval([scores]) }
        : null,
    winner: lead > 0 ? "a" : lead < 0 ? "b" : "tie",
  };
}

function scoresLead(a: number | null, b: number | null, direction: Direction | null): number {
  if (a === null || b === null || direction === null) return 0;
  return direction === "minimize" ? b - a : a - b;
}

function summary(runs: readonly GradedRun[]): ComparedSide {
  const scores = runs.flatMap(({ score }) => (score == null ? [] : [score]));
  const known = runs.some((run) => run.percentile != null);
  return {
    runs: runs.length,
    medals: runs.filter(hasMedal).length,
    percentile: known ? meanOf(runs.map(percentileOf)) : null,
    score: scores.length > 0 ? meanOf(scores) : null,
    scored: scores.length,
  };
}
