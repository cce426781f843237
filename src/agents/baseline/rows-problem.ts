import {
  type FoldRows,
  groupedFolds,
  rowsOfFold,
  shuffledFolds,
  stratifiedFolds,
} from "../../learning/features/folds.ts";
import type { MetricName } from "./metric.ts";

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
  readonly metric: MetricName | null;
  readonly seed: number;
}

/** Folds that keep groups together, or else classes even. */
export function makeFolds(
  options: {
    target: Float64Array;
    rows: number;
    kind: RowsProblem["kind"];
    groups: ArrayLike<number> | null;
  },
  folds: number,
  seed: number,
): FoldRows[] {
  const { target, rows, kind, groups } = options;
  const fold =
    groups !== null
      ? groupedFolds(groups, folds, seed)
      : kind === "classes"
        ? stratifiedFolds(target, folds, seed)
        : shuffledFolds(rows, folds, seed);
  return Array.from({ length: folds }, (_, i) => rowsOfFold(fold, i)).filter(
    ({ train, validation }) => train.length > 0 && validation.length > 0,
  );
}
