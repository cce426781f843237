import { isNumberColumn, toNumber } from "../baseline/reading/cells.ts";
import { type TextTable, textsOf } from "../baseline/reading/text-table.ts";

export const FILLS = ["constant", "mean", "random", "prior"] as const;
export type Fill = (typeof FILLS)[number];

/** Fractions of rows; where the sample's rows sum up to 1, so must ours. */
const SUM_TOLERANCE = 1e-6;

/**
 * The target columns of a file that is as well-formed as the sample submission and says something else. `constant`
 * repeats the sample's first row; `mean` and `prior` look the training data up, where they have a column of that name
 * or one whose values are the sample's columns; `random` draws from what the training data, or the sample, hold.
 */
export function fillTargets(
  fill: Fill,
  sample: TextTable,
  train: TextTable | null,
  random: () => number,
): string[][] {
  const names = sample.header.slice(1);
  const cells = sample.columns.slice(1).map((column) => [...column]);
  const classes = train === null ? null : classShares(names, train);
  const columns = cells.map((column, at): string[] => {
    const seen = (train && textsOf(train, names[at])) ?? column;
    if (fill === "constant") return column.map(() => column[0]);
    if (fill === "random") {
      if (!isNumberColumn(column)) return column.map(() => seen[Math.floor(random() * seen.length)]);
      const [least, most] = classes === null ? range(seen) : [0, 1];
      return column.map(() => numberText(least + random() * (most - least), column));
    }
    if (!isNumberColumn(column)) return column.map(() => mostFrequent(seen));
    const value = classes === null ? mean(seen) : classes[at];
    return column.map(() => numberText(value, column));
  });
  return rowsSumToOne(cells) ? normalised(columns) : columns;
}

/** How often each of the sample's columns occurs as a value of one training column; null when none has all of them. */
function classShares(names: readonly string[], train: TextTable): number[] | null {
  if (names.length < 2) return null;
  const columns = train.columns.map((column) => [...column]);
  const labels = columns.find((column) => names.every((name) => column.includes(name)));
  if (labels === undefined) return null;
  // Rows without a label say nothing.
  const counts = names.map((name) => labels.filter((label) => label === name).length);
  return counts.map((count) => count / counts.reduce((sum, other) => sum + other, 0));
}

function range(cells: readonly string[]): [number, number] {
  const numbers = cells.map(toNumber).filter((value) => !Number.isNaN(value));
  const least = numbers.reduce((a, b) => Math.min(a, b), Infinity);
  const most = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
  // A sample of nothing but zeros leaves only a guess.
  return least < most ? [least, most] : [Math.min(0, least), Math.max(1, most)];
}

function mean(cells: readonly string[]): number {
  const numbers = cells.map(toNumber).filter((value) => !Number.isNaN(value));
  return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
}

function mostFrequent(cells: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

/** A column of whole numbers may hold classes or counts: it stays one. */
function numberText(value: number, like: readonly string[]): string {
  return String(like.every((cell) => /^[+-]?\d*$/.test(cell.trim())) ? Math.round(value) : value);
}

function rowsSumToOne(columns: readonly (readonly string[])[]): boolean {
  if (columns.length < 2) return false;
  return columns[0].every((_, row) => {
    const sum = columns.reduce((total, column) => total + toNumber(column[row]), 0);
    return Math.abs(sum - 1) < SUM_TOLERANCE;
  });
}

function normalised(columns: readonly (readonly string[])[]): string[][] {
  const sums = columns[0].map((_, row) => columns.reduce((sum, column) => sum + Number(column[row]), 0));
  return columns.map((column) => column.map((cell, row) => String(Number(cell) / sums[row])));
}
