import type { SparseMatrix } from "../matrix.ts";

/** The logarithm of how rare each column is, smoothed as in scikit-learn: a column in every row has 1, never 0. */
export function inverseFrequencies(matrix: SparseMatrix): Float64Array {
  const documents = new Float64Array(matrix.columns);
  for (let at = 0; at < matrix.indices.length; at++) documents[matrix.indices[at]]++;
  return documents.map((count) => Math.log((1 + matrix.rows) / (1 + count)) + 1);
}

/** Counts to 1 + log(count), times rarity, each row scaled to length 1. A row without entries stays empty. */
export function weightByRarity(matrix: SparseMatrix, rarity: Float64Array): SparseMatrix {
  const values = new Float64Array(matrix.values.length);
  for (let row = 0; row < matrix.rows; row++) {
    let square = 0;
    for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++) {
      values[at] = (1 + Math.log(matrix.values[at])) * rarity[matrix.indices[at]];
      square += values[at] * values[at];
    }
    const length = Math.sqrt(square);
    for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++) values[at] /= length;
  }
  return { ...matrix, values };
}
