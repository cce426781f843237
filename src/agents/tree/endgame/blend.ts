import { toNumber } from "../../baseline/reading/cells.ts";
import type { Scoring } from "../evaluation/task.ts";

export type CellsById = ReadonlyMap<string, readonly string[]>;

export interface Weighted {
  cells: CellsById;
  weight: number;
}

/** Numbers are averaged, everything else is voted on; of equal votes the first member's counts. */
export function blendCells(kind: Scoring["kind"], members: readonly Weighted[]): Map<string, string[]> {
  const [first] = members;
  const averages =
    kind === "number" || kind === "probability" || kind === "probabilities" || kind === "grade";
  const blended = new Map<string, string[]>();
  for (const [id, own] of first.cells)
    blended.set(
      id,
      own.map((_, column) => {
        const cells = members.map(({ cells: theirs, weight }) => ({
          cell: theirs.get(id)?.[column] ?? "",
          weight,
        }));
        if (!averages) return vote(cells);
        const total = cells.reduce((sum, { weight }) => sum + weight, 0);
        const mean = cells.reduce((sum, { cell, weight }) => sum + weight * toNumber(cell), 0) / total;
        return String(kind === "grade" ? Math.round(mean) : Number(mean.toPrecision(10)));
      }),
    );
  return blended;
}

function vote(cells: readonly { cell: string; weight: number }[]): string {
  const votes = new Map<string, number>();
  for (const { cell, weight } of cells) votes.set(cell, (votes.get(cell) ?? 0) + weight);
  return [...votes].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const ROUNDS = 10;

/**
 * Weights by greedy selection with replacement: again and again the member is added that helps the mix most; it ends
 * when none does. Null where no mix has a score.
 */
export function chooseWeights(
  kind: Scoring["kind"],
  members: readonly CellsById[],
  score: (cells: CellsById) => number | null,
  isBetter: (value: number, than: number) => boolean,
): number[] | null {
  const weights = members.map(() => 0);
  let best: number | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    let chosen: { at: number; value: number } | null = null;
    for (let at = 0; at < members.length; at++) {
      const tried = weights.map((weight, i) => weight + (i === at ? 1 : 0));
      const value = score(mixOf(kind, members, tried));
      if (value !== null && (chosen === null || isBetter(value, chosen.value))) chosen = { at, value };
    }
    if (chosen === null || (best !== null && !isBetter(chosen.value, best))) break;
    best = chosen.value;
    weights[chosen.at] += 1;
  }
  return best === null ? null : weights;
}

export function mixOf(
  kind: Scoring["kind"],
  members: readonly CellsById[],
  weights: readonly number[],
): Map<string, readonly string[]> {
  const used = members
    .map((cells, at) => ({ cells, weight: weights[at] }))
    .filter(({ weight }) => weight > 0);
  return used.length === 1 ? new Map(used[0].cells) : blendCells(kind, used);
}
