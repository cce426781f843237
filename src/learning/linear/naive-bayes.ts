import type { SparseMatrix } from "../matrix.ts";
import type { LinearModel } from "./linear-model.ts";
import { fitLogistic, type LogisticOptions, predictLogistic } from "./logistic.ts";

export interface NaiveBayesOptions extends LogisticOptions {
  /** Added to every column's count in both groups. */
  readonly smoothing?: number;
}

/** One model for each class against the rest (a single one for two classes). */
export interface NaiveBayesLinear {
  readonly models: readonly { readonly ratios: Float64Array; readonly linear: LinearModel }[];
}

/**
 * Logistic regression on columns weighted by their log-count ratios (Wang and Manning's "NBSVM" with a logistic
 * loss): often the best linear model for short texts. Values must not be negative.
 */
export function fitNaiveBayesLinear(
  matrix: SparseMatrix,
  target: ArrayLike<number>,
  options: NaiveBayesOptions,
): NaiveBayesLinear {
  const positives = options.classes === 2 ? [1] : Array.from({ length: options.classes }, (_, k) => k);
  const models = positives.map((positive) => {
    const isPositive = Uint8Array.from({ length: matrix.rows }, (_, row) => Number(target[row] === positive));
    const ratios = logCountRatios(matrix, isPositive, options.smoothing ?? 1);
    const linear = fitLogistic(scaleColumns(matrix, ratios), isPositive, { ...options, classes: 2 });
    return { ratios, linear };
  });
  return { models };
}

/** Probabilities as from `predictLogistic`; those of more than two classes are made to sum to 1. */
export function predictNaiveBayesLinear({ models }: NaiveBayesLinear, matrix: SparseMatrix): Float64Array {
  const all = models.map(({ ratios, linear }) => predictLogistic(linear, scaleColumns(matrix, ratios)));
  if (all.length === 1) return all[0];
  const result = new Float64Array(matrix.rows * all.length);
  for (let row = 0; row < matrix.rows; row++) {
    const sum = all.reduce((total, own) => total + own[row], 0);
    for (const [k, own] of all.entries())
      result[k * matrix.rows + row] = sum > 0 ? own[row] / sum : 1 / all.length;
  }
  return result;
}

/** For each column: log of its share among the positive rows over its share among the others. */
export function logCountRatios(
  matrix: SparseMatrix,
  isPositive: Uint8Array,
  smoothing: number,
): Float64Array {
  const counts = [
    new Float64Array(matrix.columns).fill(smoothing),
    new Float64Array(matrix.columns).fill(smoothing),
  ];
  for (let row = 0; row < matrix.rows; row++) {
    const own = counts[isPositive[row]];
    for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++)
      own[matrix.indices[at]] += matrix.values[at];
  }
  const [negative, positive] = counts;
  const shift = Math.log(total(positive) / total(negative));
  return positive.map((count, column) => Math.log(count / negative[column]) - shift);
}

/** Each column times its factor. */
export function scaleColumns(matrix: SparseMatrix, factors: Float64Array): SparseMatrix {
  return { ...matrix, values: matrix.values.map((value, at) => value * factors[matrix.indices[at]]) };
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
