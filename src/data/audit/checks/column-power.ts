import { rocAuc } from "../../../metrics/classification/roc-auc.ts";
import { pearson } from "../../../metrics/regression/pearson.ts";
import { cellNumber, isBlankCell, plainCell } from "../reading/plain-cell.ts";

/** What a target is to a predictor. */
export type TargetValues =
  | { kind: "binary"; values: Float64Array }
  | { kind: "classes"; values: Float64Array; classes: number }
  | { kind: "number"; values: Float64Array };

export interface ColumnPower {
  /** Which reading of the column was measured. */
  reading: "its value" | "its size" | "whether it is filled";
  measure: "AUC" | "accuracy" | "correlation" | "purity";
  figure: number;
  rows: number;
}

const FOLDS = 5;
const MIN_ROWS = 20;
const MIN_PER_CLASS = 5;
const MAX_CLASSES = 200;
const BINS = 64;
const FEW_ROWS = 100;

/** Null when the target is neither a class nor a number, or too small to measure anything on. */
export function targetValues(cells: readonly string[]): TargetValues | null {
  if (cells.length < MIN_ROWS) return null;
  const plain = cells.map(plainCell);
  const counts = new Map<string, number>();
  for (const cell of plain) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const names = [...counts.keys()];
  if (names.length < 2) return null;
  const codes = new Map(names.map((name, i) => [name, i]));
  const coded = () => Float64Array.from(plain, (cell) => codes.get(cell)!);
  if (names.length === 2)
    return Math.min(...counts.values()) < MIN_PER_CLASS ? null : { kind: "binary", values: coded() };
  const numbers = Float64Array.from(plain, cellNumber);
  const numeric = numbers.every((value) => !Number.isNaN(value));
  const repeated = names.length <= MAX_CLASSES && cells.length >= MIN_PER_CLASS * names.length;
  if (repeated && (!numeric || names.length <= 20))
    return { kind: "classes", values: coded(), classes: names.length };
  return numeric ? { kind: "number", values: numbers } : null;
}

/**
 * How well one column alone predicts the target, measured on rows that were not used for learning, so that an id
 * predicts nothing. `transfers` says which values also occur where predictions are wanted. Null unless almost perfect.
 */
export function almostPerfect(
  cells: readonly string[],
  target: TargetValues,
  transfers: (cell: string) => boolean,
): ColumnPower | null {
  const filled = filledKeys(cells);
  // The simplest reading that suffices is the one to report.
  const candidates = [
    measure("whether it is filled", filled, target, () => true),
    bySize(cells, target),
    measure("its value", cells, target, transfers),
    measure("its size", binned(cells), target, () => true),
    purity(filled, target),
  ];
  return candidates.find((power) => power !== null && isAlmostPerfect(power)) ?? null;
}

function isAlmostPerfect({ measure, figure, rows }: ColumnPower): boolean {
  if (measure === "correlation") return figure >= 0.995;
  return measure === "purity" || figure >= (rows < FEW_ROWS ? 0.999 : 0.98);
}

/** Learns the mean or the commonest class of each value from four fifths of the rows and predicts the fifth. */
function measure(
  reading: ColumnPower["reading"],
  keys: readonly string[] | null,
  target: TargetValues,
  transfers: (key: string) => boolean,
): ColumnPower | null {
  if (keys === null) return null;
  const rows = keys.length;
  if (keys.filter(transfers).length < rows / 2) return null;
  const predicted = new Float64Array(rows);
  for (let fold = 0; fold < FOLDS; fold++) {
    const predict = target.kind === "classes" ? commonest(keys, target, fold) : mean(keys, target, fold);
    for (let i = 0; i < rows; i++) if (foldOf(i) === fold) predicted[i] = predict(keys[i]);
  }
  if (target.kind === "binary") {
    const figure = rocAuc(target.values, predicted);
    return figure === null ? null : { reading, measure: "AUC", figure, rows };
  }
  if (target.kind === "number") {
    const figure = pearson(predicted, target.values);
    return Number.isNaN(figure) ? null : { reading, measure: "correlation", figure, rows };
  }
  const right = predicted.reduce((count, value, i) => count + (value === target.values[i] ? 1 : 0), 0) / rows;
  const common = largestShare(target.values);
  // What the commonest class alone would reach proves nothing.
  return (right - common) / (1 - common) < 0.9 ? null : { reading, measure: "accuracy", figure: right, rows };
}

function mean(keys: readonly string[], { values }: TargetValues, fold: number): (key: string) => number {
  const sums = new Map<string, { sum: number; count: number }>();
  const all = { sum: 0, count: 0 };
  for (const [i, key] of keys.entries()) {
    if (foldOf(i) === fold) continue;
    const entry = sums.get(key) ?? { sum: 0, count: 0 };
    entry.sum += values[i];
    entry.count++;
    all.sum += values[i];
    all.count++;
    sums.set(key, entry);
  }
  return (key) => {
    const { sum, count } = sums.get(key) ?? all;
    return sum / count;
  };
}

function commonest(keys: readonly string[], { values }: TargetValues, fold: number): (key: string) => number {
  const counts = new Map<string, Map<number, number>>();
  for (const [i, key] of keys.entries()) {
    if (foldOf(i) === fold) continue;
    const classes = counts.get(key) ?? new Map<number, number>();
    classes.set(values[i], (classes.get(values[i]) ?? 0) + 1);
    counts.set(key, classes);
  }
  const best = new Map(
    [...counts].map(([key, classes]) => [key, [...classes].sort((a, b) => b[1] - a[1])[0][0]]),
  );
  return (key) => best.get(key) ?? Number.NaN;
}

/** A number as it is, higher or lower being the better: nothing is learned but the direction. */
function bySize(cells: readonly string[], target: TargetValues): ColumnPower | null {
  const numbers = allNumbers(cells);
  if (numbers === null || target.kind === "classes") return null;
  const rows = cells.length;
  if (target.kind === "number") {
    const figure = Math.abs(pearson(numbers, target.values));
    return Number.isNaN(figure) ? null : { reading: "its size", measure: "correlation", figure, rows };
  }
  const auc = rocAuc(target.values, numbers);
  return auc === null ? null : { reading: "its size", measure: "AUC", figure: Math.max(auc, 1 - auc), rows };
}

/** Equally filled ranges of a number, so that repeated measurements need not be equal to be recognised. */
function binned(cells: readonly string[]): string[] | null {
  const numbers = allNumbers(cells);
  if (numbers === null) return null;
  const sorted = Float64Array.from(numbers).sort();
  const edges = Array.from(
    { length: BINS - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / BINS)],
  );
  return Array.from(numbers, (value) => {
    let low = 0;
    let high = edges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return String(low);
  });
}

function allNumbers(cells: readonly string[]): Float64Array | null {
  const numbers = Float64Array.from(cells, cellNumber);
  return numbers.every((value) => Number.isFinite(value)) ? numbers : null;
}

/** "filled" against blank; where no cell is blank but one text stands out as a placeholder, against that text. */
function filledKeys(cells: readonly string[]): string[] | null {
  const blank = cells.some(isBlankCell) ? isBlankCell : isPlaceholder(cells);
  const keys = cells.map((cell) => (blank(cell) ? "blank" : "filled"));
  return keys.includes("blank") && keys.includes("filled") ? keys : null;
}

function isPlaceholder(cells: readonly string[]): (cell: string) => boolean {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const [text, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const others = cells.length - count;
  // Among names and sentences a text that often recurs is none of them; among a handful of categories it is one.
  const standsOut = count >= cells.length / 5 && counts.size - 1 >= others / 2;
  return (cell) => standsOut && cell === text;
}

/** Rows in which the column is filled (or blank) that nearly all have one outcome, far more often than the rest. */
function purity(keys: readonly string[] | null, target: TargetValues): ColumnPower | null {
  if (keys === null || target.kind !== "binary") return null;
  for (const wanted of ["filled", "blank"]) {
    const chosen = [...keys.keys()].filter((i) => keys[i] === wanted);
    const ones = chosen.reduce((sum, i) => sum + target.values[i], 0) / chosen.length;
    const overall = target.values.reduce((sum, value) => sum + value, 0) / target.values.length;
    const share = Math.max(ones, 1 - ones);
    const base = ones >= 0.5 ? overall : 1 - overall;
    if (share >= 0.98 && base <= 0.8 && chosen.length * -Math.log10(base) >= 5)
      return { reading: "whether it is filled", measure: "purity", figure: share, rows: chosen.length };
  }
  return null;
}

function largestShare(values: Float64Array): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values()) / values.length;
}

/** Scattered, so that rows in an order of any period fall into all folds; the same on every run. */
function foldOf(row: number): number {
  return (Math.imul(row + 1, 0x9e3779b1) >>> 16) % FOLDS;
}
