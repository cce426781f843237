import {
  type FoldRows,
  forwardFolds,
  groupedFolds,
  rowsOfFold,
  shuffledFolds,
  stratifiedFolds,
} from "../../../learning/features/folds.ts";
import type { MetricName } from "../validation/metric.ts";

/** A supervised problem: what is to be learned, and on which rows it is tried. */
export interface RowsProblem {
  /** `labels`: several questions with yes or no each; the target is 0 or 1. */
  readonly kind: "number" | "classes" | "labels";
  /** Numbers predicted for a row; two classes need one, the probability of the second. */
  readonly outputs: number;
  readonly classes: number;
  readonly trainRows: number;
  readonly testRows: number;
  /** Class numbers, or numbers one output after another. */
  readonly target: Float64Array;
  readonly folds: readonly FoldRows[];
  /** Rows that some fold holds back, ascending: forward in time the first ones never are. */
  readonly scoredRows: Int32Array;
  /** The target of those rows. */
  readonly truth: Float64Array;
  readonly metric: MetricName | null;
  readonly seed: number;
}

/** What parts the test from the training rows, and so has to part the folds. */
export type Separation =
  | { readonly by: "chance" }
  | { readonly by: "groups"; readonly groups: ArrayLike<number> }
  | { readonly by: "time"; readonly times: Float64Array };

const HELD_BACK_IN_ONE_FOLD = 5;

/** Folds that keep groups together, go forward in time, or keep classes even. One fold holds back a fifth of the rows. */
export function makeFolds(
  options: { target: Float64Array; rows: number; kind: RowsProblem["kind"]; separation: Separation },
  folds: number,
  seed: number,
): FoldRows[] {
  const { target, rows, kind, separation } = options;
  if (separation.by === "time") {
    const forward = forwardFolds(separation.times, folds === 1 ? HELD_BACK_IN_ONE_FOLD - 1 : folds);
    return folds === 1 ? forward.slice(-1) : [...forward];
  }
  const parts = folds === 1 ? HELD_BACK_IN_ONE_FOLD : folds;
  const fold =
    separation.by === "groups"
      ? groupedFolds(separation.groups, parts, seed)
      : kind === "classes"
        ? stratifiedFolds(target, parts, seed)
        : shuffledFolds(rows, parts, seed);
  return Array.from({ length: folds }, (_, i) => rowsOfFold(fold, i)).filter(
    ({ train, validation }) => train.length > 0 && validation.length > 0,
  );
}

/** The rows that are scored, and their targets. */
export function scoredPart(
  folds: readonly FoldRows[],
  target: Float64Array,
  rows: number,
): Pick<RowsProblem, "scoredRows" | "truth"> {
  const isScored = new Uint8Array(rows);
  for (const { validation } of folds) for (const row of validation) isScored[row] = 1;
  const scoredRows = Int32Array.from(isScored, (_, row) => row).filter((row) => isScored[row] === 1);
  const outputs = target.length / rows;
  const truth = new Float64Array(outputs * scoredRows.length);
  for (let output = 0; output < outputs; output++)
    for (let i = 0; i < scoredRows.length; i++)
      truth[output * scoredRows.length + i] = target[output * rows + scoredRows[i]];
  return { scoredRows, truth };
}
