import { isSparse, type Matrix } from "../matrix.ts";

/** out = matrix · weights, with `outputs` weights for each column side by side. */
export function applyWeights(
  matrix: Matrix,
  weights: Float64Array,
  outputs: number,
  out: Float64Array,
): void {
  if (outputs === 1) {
    applyOne(matrix, weights, out);
    return;
  }
  out.fill(0);
  forEachEntry(matrix, (row, column, value) => {
    const [to, from] = [row * outputs, column * outputs];
    for (let k = 0; k < outputs; k++) out[to + k] += value * weights[from + k];
  });
}

/** out = matrixᵀ · residuals, with `outputs` residuals for each row side by side. */
export function applyTransposed(
  matrix: Matrix,
  residuals: Float64Array,
  outputs: number,
  out: Float64Array,
): void {
  out.fill(0);
  if (outputs === 1) {
    applyOneTransposed(matrix, residuals, out);
    return;
  }
  forEachEntry(matrix, (row, column, value) => {
    const [from, to] = [row * outputs, column * outputs];
    for (let k = 0; k < outputs; k++) out[to + k] += value * residuals[from + k];
  });
}

function forEachEntry(matrix: Matrix, visit: (row: number, column: number, value: number) => void): void {
  if (isSparse(matrix)) {
    const { rows, starts, indices, values } = matrix;
    for (let row = 0; row < rows; row++) {
      for (let at = starts[row]; at < starts[row + 1]; at++) visit(row, indices[at], values[at]);
    }
    return;
  }
  const { rows, columns, values } = matrix;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column];
      if (value !== 0) visit(row, column, value);
    }
  }
}

function applyOne(matrix: Matrix, weights: Float64Array, out: Float64Array): void {
  const { rows, columns, values } = matrix;
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    if (isSparse(matrix)) {
      const { starts, indices } = matrix;
      for (let at = starts[row]; at < starts[row + 1]; at++) sum += values[at] * weights[indices[at]];
    } else {
      const from = row * columns;
      for (let column = 0; column < columns; column++) sum += values[from + column] * weights[column];
    }
    out[row] = sum;
  }
}

function applyOneTransposed(matrix: Matrix, residuals: Float64Array, out: Float64Array): void {
  const { rows, columns, values } = matrix;
  for (let row = 0; row < rows; row++) {
    const residual = residuals[row];
    if (isSparse(matrix)) {
      const { starts, indices } = matrix;
      for (let at = starts[row]; at < starts[row + 1]; at++) out[indices[at]] += values[at] * residual;
    } else {
      const from = row * columns;
      for (let column = 0; column < columns; column++) out[column] += values[from + column] * residual;
    }
  }
}
