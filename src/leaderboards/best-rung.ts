import { isBetter } from "./leaderboard.ts";
import type { Leaderboard, Rung } from "./leaderboard-schema.ts";

/** The strongest reference solution of a board that was made; null where there is none. */
export function bestRung({ made, lowerIsBetter }: Leaderboard): Rung | null {
  const [first, ...others] = made?.rungs ?? [];
  if (first === undefined) return null;
  return others.reduce(
    (best, rung) => (isBetter(rung.score, best.score, lowerIsBetter) ? rung : best),
    first,
  );
}
