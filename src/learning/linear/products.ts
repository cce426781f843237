import { isSparse, type Matrix, type SparseMatrix } from "../matrix.ts";

/** out = matrix · weights, with `outputs` weights for each column side by side. */
export function applyWeights(
  matrix: Matrix,
  weights: Float64Array,
  outputs: number,
  out: Float64Array,
): void {
  if (outputs === 1 && isSparse(matrix)) {
    sparseApply(matrix, weights, out);
    return;
  }
  const { rows, columns, values } = matrix;
  const sparse = isSparse(matrix) ? matrix : null;
  out.fill(0);
  for (let row = 0; row < rows; row++) {
    const from = sparse ? sparse.starts[row] : row * columns;
    const to = sparse ? sparse.starts[row + 1] : from + columns;
    if (outputs === 1) {
      let sum = 0;
      for (let at = from; at < to; at++) sum += values[at] * weights[sparse ? sparse.indices[at] : at - from];
      out[row] = sum;
      continue;
    }
    const target = row * outputs;
    for (let at = from; at < to; at++) {
      const value = values[at];
      const source = (sparse ? sparse.indices[at] : at - from) * outputs;
      for (let k = 0; k < outputs; k++) out[target + k] += value * weights[source + k];
    }
  }
}

/** Most of a fit on texts is spent here and in its counterpart: loops of their own are twice as fast. */
function sparseApply(
  { rows, starts, indices, values }: SparseMatrix,
  weights: Float64Array,
  out: Float64Array,
) {
  for (let row = 0; row < rows; row++) {
    const to = starts[row + 1];
    let sum = 0;
    for (let at = starts[row]; at < to; at++) sum += values[at] * weights[indices[at]];
    out[row] = sum;
  }
}

function sparseTransposed(
  { rows, starts, indices, values }: SparseMatrix,
  residuals: Float64Array,
  out: Float64Array,
) {
  for (let row = 0; row < rows; row++) {
    const to = starts[row + 1];
    const residual = residuals[row];
    for (let at = starts[row]; at < to; at++) out[indices[at]] += values[at] * residual;
  }
}

/** out = matrixᵀ · residuals, with `outputs` residuals for each row side by side. */
export function applyTransposed(
  matrix: Matrix,
  residuals: Float64Array,
  outputs: number,
  out: Float64Array,
): void {
  const { rows, columns, values } = matrix;
  const sparse = isSparse(matrix) ? matrix : null;
  out.fill(0);
  if (outputs === 1 && sparse) {
    sparseTransposed(sparse, residuals, out);
    return;
  }
  for (let row = 0; row < rows; row++) {
    const from = sparse ? sparse.starts[row] : row * columns;
    const to = sparse ? sparse.starts[row + 1] : from + columns;
    if (outputs === 1) {
      const residual = residuals[row];
      for (let at = from; at < to; at++)
        out[sparse ? sparse.indices[at] : at - from] += values[at] * residual;
      continue;
    }
    const source = row * outputs;
    for (let at = from; at < to; at++) {
      const value = values[at];
      const target = (sparse ? sparse.indices[at] : at - from) * outputs;
      for (let k = 0; k < outputs; k++) out[target + k] += value * residuals[source + k];
    }
  }
}
