import type { Column } from "../../../table/columns/column.ts";

/**
 * The numbers of a label column such that different labels stay different. Integers beyond ±2^53 would melt together
 * as doubles and change how many classes a metric counts.
 */
export function exactLabels(column: Column): Float64Array {
  if (column.wide === null) return column.numbers;
  const wide = new Map<number, bigint>();
  for (let row = 0; row < column.length; row++) {
    if (!Number.isSafeInteger(column.numbers[row])) wide.set(row, wideAt(column, row));
  }
  return spreadWide(column.numbers.slice(), wide);
}

/** The exact integer of a row of a column that has `wide`. */
export function wideAt(column: Column, row: number): bigint {
  const value = column.wide![row];
  return column.kind === "uint" ? BigInt.asUintN(64, value) : value;
}

/**
 * Writes a stand-in into `labels` for each integer beyond ±2^53: doubles out there that keep the integers' order and
 * equality. Metrics on labels use nothing else, and true labels are never that large.
 */
export function spreadWide(labels: Float64Array, wide: ReadonlyMap<number, bigint>): Float64Array {
  if (wide.size === 0) return labels;
  const distinct = [...new Set(wide.values())].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const firstPositive = distinct.findIndex((value) => value > 0n);
  const zero = firstPositive < 0 ? distinct.length : firstPositive;
  const standIns = new Map(
    // Doubles beyond 2^53 are two apart.
    distinct.map((value, rank) => [
      value,
      rank < zero ? -(2 ** 53) - 2 * (zero - 1 - rank) : 2 ** 53 + 2 * (rank - zero),
    ]),
  );
  for (const [row, value] of wide) labels[row] = standIns.get(value)!;
  return labels;
}
