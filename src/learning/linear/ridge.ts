import { solveCholesky } from "../algebra/cholesky.ts";
import { type DenseMatrix, isSparse, type Matrix } from "../matrix.ts";
import type { LinearModel } from "./linear-model.ts";
import { applyTransposed, applyWeights } from "./products.ts";

export interface RidgeOptions {
  /** Added to the diagonal; the intercept goes free. */
  readonly l2: number;
  /** At most this many steps where the equations are solved step by step (sparse or wide data). */
  readonly iterations?: number;
  readonly tolerance?: number;
}

/** Beyond this many columns a closed solution would need too much time and memory. */
const CLOSED_FORM_COLUMNS = 1000;

/**
 * Least squares with an L2 penalty on the sum of squares (scikit-learn's `alpha`). `target` holds the outputs one
 * after another. Missing values are not allowed: impute them first.
 */
export function fitRidge(matrix: Matrix, target: Float64Array, options: RidgeOptions): LinearModel {
  const outputs = target.length / matrix.rows;
  const means = columnMeans(matrix);
  const solutions =
    isSparse(matrix) || matrix.columns > CLOSED_FORM_COLUMNS
      ? null
      : solveClosed(matrix, target, means, options.l2);
  const weights = new Float64Array(matrix.columns * outputs);
  const intercepts = new Float64Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const own = target.subarray(output * matrix.rows, (output + 1) * matrix.rows);
    const solution =
      solutions?.subarray(output * matrix.columns, (output + 1) * matrix.columns) ??
      solveBySteps(matrix, own, means, options);
    intercepts[output] = average(own);
    for (let column = 0; column < matrix.columns; column++) {
      weights[column * outputs + output] = solution[column];
      intercepts[output] -= solution[column] * means[column];
    }
  }
  return { outputs, weights, intercepts };
}

/** Null if the columns depend on each other and nothing is added to the diagonal. */
function solveClosed(
  matrix: DenseMatrix,
  target: Float64Array,
  means: Float64Array,
  l2: number,
): Float64Array | null {
  const { rows, columns, values } = matrix;
  const outputs = target.length / rows;
  const gram = new Float64Array(columns * columns);
  const moments = new Float64Array(columns * outputs);
  const centred = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < columns; j++) centred[j] = values[row * columns + j] - means[j];
    for (let j = 0; j < columns; j++) {
      const value = centred[j];
      if (value === 0) continue;
      const at = j * columns;
      for (let i = 0; i <= j; i++) gram[at + i] += value * centred[i];
      for (let k = 0; k < outputs; k++) moments[k * columns + j] += value * target[k * rows + row];
    }
  }
  for (let j = 0; j < columns; j++) gram[j * columns + j] += l2;
  return solveCholesky(gram, columns, moments) ? moments : null;
}

/** Conjugate gradients on the centred normal equations; the centred matrix itself is never built. */
function solveBySteps(
  matrix: Matrix,
  target: Float64Array,
  means: Float64Array,
  { l2, iterations = 500, tolerance = 1e-8 }: RidgeOptions,
): Float64Array {
  const { rows, columns } = matrix;
  const image = new Float64Array(rows);
  const applied = new Float64Array(columns);
  const centre = average(target);
  const residual = new Float64Array(columns);
  applyTransposed(
    matrix,
    target.map((value) => value - centre),
    1,
    residual,
  );
  const solution = new Float64Array(columns);
  const direction = residual.slice();
  let norm = dot(residual, residual);
  const goal = norm * tolerance * tolerance;
  for (let step = 0; step < iterations && norm > goal && norm > 0; step++) {
    const shift = dot(means, direction);
    applyWeights(matrix, direction, 1, image);
    let total = 0;
    for (let row = 0; row < rows; row++) {
      image[row] -= shift;
      total += image[row];
    }
    applyTransposed(matrix, image, 1, applied);
    for (let j = 0; j < columns; j++) applied[j] += l2 * direction[j] - total * means[j];
    const length = norm / dot(direction, applied);
    if (!Number.isFinite(length)) break;
    for (let j = 0; j < columns; j++) {
      solution[j] += length * direction[j];
      residual[j] -= length * applied[j];
    }
    const next = dot(residual, residual);
    for (let j = 0; j < columns; j++) direction[j] = residual[j] + (next / norm) * direction[j];
    norm = next;
  }
  return solution;
}

function columnMeans(matrix: Matrix): Float64Array {
  const means = new Float64Array(matrix.columns);
  applyTransposed(matrix, new Float64Array(matrix.rows).fill(1), 1, means);
  return means.map((sum) => sum / matrix.rows);
}

function average(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
