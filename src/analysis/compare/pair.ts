import type { Direction } from "../../competitions/competition.ts";
import { hasMedal } from "../aggregate/original-aggregate.ts";
import type { GradedRun } from "../reports.ts";

/** The runs of two agents on one competition, seed by seed; null where one is missing. */
export interface Pair {
  competitionId: string;
  a: (GradedRun | null)[];
  b: (GradedRun | null)[];
}

/** `lead` of every pair of runs that exists, by competition. */
export function paired(pairs: readonly Pair[], lead: (a: GradedRun, b: GradedRun) => number): number[][] {
  return pairs.map(({ a, b }) =>
    a.flatMap((run, seed) => {
      const other = b[seed];
      return run === null || other === null ? [] : [lead(run, other)];
    }),
  );
}

export function medalPoints(run: GradedRun | null): number {
  return run !== null && hasMedal(run) ? 100 : 0;
}

/** A run without a valid submission stands behind everybody. */
export function percentileOf(run: GradedRun | null): number {
  return run?.percentile ?? 0;
}

/** A score that stands nowhere. */
function standsNowhere(run: GradedRun | null): boolean {
  return run?.score != null && run.percentile == null;
}

/** There are scores, and nothing says where any of them stands: medals cannot be won there, and scores decide. */
export function isBoardless({ a, b }: Pick<Pair, "a" | "b">): boolean {
  const runs = [...a, ...b].filter((run) => run !== null);
  return (
    runs.some(standsNowhere) &&
    !runs.some(
      (run) => run.percentile != null || hasMedal(run) || run.above_median || run.leaderboard != null,
    )
  );
}

/** Competitions whose runs stand somewhere; a score that stands nowhere would count as the last. */
export function ranked(pairs: readonly Pair[]): Pair[] {
  const known = (runs: readonly (GradedRun | null)[]) => runs.some((run) => run?.percentile != null);
  if (!pairs.some((pair) => known(pair.a)) || !pairs.some((pair) => known(pair.b))) return [];
  return pairs.filter((pair) => ![...pair.a, ...pair.b].some(standsNowhere));
}

/** How far A's score is ahead of B's: positive is better. A run without a score is behind every run with one. */
export function scoreLead(a: GradedRun, b: GradedRun, direction: Direction): number {
  const [left, right] = [a.score ?? null, b.score ?? null];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  return direction === "minimize" ? right - left : left - right;
}
