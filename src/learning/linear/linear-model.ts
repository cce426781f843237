import type { Matrix } from "../matrix.ts";
import { applyWeights } from "./products.ts";

/** Plain data: `weights` has `outputs` numbers for each column side by side. */
export interface LinearModel {
  readonly outputs: number;
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
}

/** Weighted sums, one output after another: all rows of the first, then all of the second. */
export function predictLinear(model: LinearModel, matrix: Matrix): Float64Array {
  const { outputs, weights, intercepts } = model;
  const sums = new Float64Array(matrix.rows * outputs);
  applyWeights(matrix, weights, outputs, sums);
  const result = new Float64Array(sums.length);
  for (let row = 0; row < matrix.rows; row++) {
    for (let k = 0; k < outputs; k++) result[k * matrix.rows + row] = sums[row * outputs + k] + intercepts[k];
  }
  return result;
}
