import { meanOf } from "./original-aggregate.ts";
import { passAtK } from "./pass-at-k.ts";

/** One attempt: what the agent thought of it, better being larger, and whether it earned a medal. */
export interface OwnAttempt {
  /** Null when it reported nothing: such an attempt is chosen only when there is nothing else. */
  ownScore: number | null;
  medal: boolean;
}

export interface BestOfK {
  k: number;
  /** How often the attempt that the agent itself would choose among k has a medal. */
  chosen: number;
  /** How often any of the k has one: what a perfect choice would earn. */
  possible: number;
}

/**
 * Best-of-k by the agent's own validation score, over the competitions where it reports one, for every k that all of
 * them have attempts for. Exact over all choices of k attempts; among equals every one is as likely as another.
 */
export function bestOfK(competitions: readonly (readonly OwnAttempt[])[]): BestOfK[] {
  const reporting = competitions.filter((attempts) => attempts.some(({ ownScore }) => ownScore !== null));
  if (reporting.length === 0) return [];
  const most = Math.min(...reporting.map(({ length }) => length));
  return Array.from({ length: most }, (_, i) => ({
    k: i + 1,
    chosen: meanOf(reporting.map((attempts) => chosenRate(attempts, i + 1))),
    possible: meanOf(
      reporting.map(
        (attempts) => passAtK(attempts.length, attempts.filter(({ medal }) => medal).length, i + 1)!,
      ),
    ),
  }));
}

/** Sums, best first, the probability that the choice falls on a group of equals, times its share of medals. */
function chosenRate(attempts: readonly OwnAttempt[], k: number): number {
  const groups = new Map<number, OwnAttempt[]>();
  for (const attempt of attempts) {
    const key = attempt.ownScore ?? Number.NEGATIVE_INFINITY;
    groups.set(key, [...(groups.get(key) ?? []), attempt]);
  }
  let better = 0;
  let rate = 0;
  for (const [, equals] of [...groups].sort(([a], [b]) => b - a)) {
    const before = passAtK(attempts.length, better, k)!;
    better += equals.length;
    const medals = equals.filter(({ medal }) => medal).length / equals.length;
    rate += (passAtK(attempts.length, better, k)! - before) * medals;
  }
  return rate;
}
