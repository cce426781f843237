import type { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { medalPositions } from "../../../src/leaderboards/medal-rule.ts";
import { quantilePlace } from "../../../src/leaderboards/standing.ts";

/**
 * A full board that a shipped summary could have come from, best first: the teams the summary knows at their places,
 * and between two of them teams whose scores lie between, drawn from `random`. The human boards themselves may not be
 * shipped. Null where a summary's figures contradict each other.
 */
export function rebuiltBoard(board: Leaderboard, random: () => number): number[] {
  const { teams } = board;
  const known = new Map<number, number>();
  board.quantiles.forEach((score, i) => {
    known.set(quantilePlace(i, teams), score);
  });
  const positions = medalPositions(teams);
  for (const medal of ["gold", "silver", "bronze"] as const) known.set(positions[medal] - 1, board[medal]);
  const middle = teams >> 1;
  if (teams % 2 === 1) known.set(middle, board.median);
  else {
    const [first, second] = [known.get(middle - 1), known.get(middle)];
    if (first === undefined) known.set(middle - 1, 2 * board.median - second!);
    else if (second === undefined) known.set(middle, 2 * board.median - first);
  }
  const places = [...known.keys()].sort((a, b) => a - b);
  const scores: number[] = new Array(teams);
  for (const [i, place] of places.entries()) {
    const score = known.get(place)!;
    scores[place] = score;
    const next = places[i + 1];
    if (next === undefined) break;
    const between = Array.from({ length: next - place - 1 }, random).sort((a, b) => a - b);
    between.forEach((share, j) => {
      scores[place + 1 + j] = score + (known.get(next)! - score) * share;
    });
  }
  return scores;
}
