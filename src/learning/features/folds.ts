import { seededRandom, shuffledOrder } from "../seeded-random.ts";

/** Row numbers, ascending. */
export interface FoldRows {
  readonly train: Int32Array;
  readonly validation: Int32Array;
}

/** The fold of each row: sizes differ by one at most. */
export function shuffledFolds(rows: number, folds: number, seed: number): Uint8Array {
  return dealOut([shuffledOrder(rows, seededRandom(seed))], rows, folds);
}

/** The fold of each row, so that every class has as many rows in each fold, to one. */
export function stratifiedFolds(labels: ArrayLike<number>, folds: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const rowsOfLabel = new Map<number, number[]>();
  for (const row of shuffledOrder(labels.length, random)) {
    const own = rowsOfLabel.get(labels[row]);
    if (own) own.push(row);
    else rowsOfLabel.set(labels[row], [row]);
  }
  const lists = [...rowsOfLabel].sort(([a], [b]) => a - b).map(([, rows]) => rows);
  return dealOut(lists, labels.length, folds);
}

/** The fold of each row, so that no group is in two folds. The largest groups are placed first, always in the emptiest fold. */
export function groupedFolds(groups: ArrayLike<number>, folds: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const sizes = new Map<number, number>();
  for (const row of shuffledOrder(groups.length, random))
    sizes.set(groups[row], (sizes.get(groups[row]) ?? 0) + 1);
  const filled = new Float64Array(folds);
  const foldOf = new Map<number, number>();
  // The sort is stable: groups of one size keep the random order in which they were met.
  for (const [group, size] of [...sizes].sort(([, a], [, b]) => b - a)) {
    const emptiest = filled.indexOf(Math.min(...filled));
    foldOf.set(group, emptiest);
    filled[emptiest] += size;
  }
  return Uint8Array.from({ length: groups.length }, (_, row) => foldOf.get(groups[row]) ?? 0);
}

/**
 * Forward in time: each fold validates on the next stretch and trains on all that lies strictly before it. Rows of
 * one moment are never parted. The first stretch is only trained on, so there may be fewer folds than asked for.
 */
export function forwardFolds(times: Float64Array, folds: number): readonly FoldRows[] {
  const order = Int32Array.from(times, (_, row) => row).sort((a, b) => times[a] - times[b] || a - b);
  const starts: number[] = [];
  for (let fold = 1; fold <= folds; fold++) {
    let start = Math.round((fold * order.length) / (folds + 1));
    while (start > 0 && start < order.length && times[order[start]] === times[order[start - 1]]) start--;
    if (start > (starts.at(-1) ?? 0) && start < order.length) starts.push(start);
  }
  return starts.map((start, i) => ({
    train: order.slice(0, start).sort(),
    validation: order.slice(start, starts[i + 1] ?? order.length).sort(),
  }));
}

/** The rows of one fold, and those of all others. */
export function rowsOfFold(folds: Uint8Array, fold: number): FoldRows {
  const rows = Int32Array.from(folds, (_, row) => row);
  return {
    train: rows.filter((row) => folds[row] !== fold),
    validation: rows.filter((row) => folds[row] === fold),
  };
}

/** Deals the rows of one list after another like cards; a new list goes on where the last one ended. */
function dealOut(lists: readonly ArrayLike<number>[], rows: number, folds: number): Uint8Array {
  const result = new Uint8Array(rows);
  let next = 0;
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) result[list[i]] = next++ % folds;
  }
  return result;
}
