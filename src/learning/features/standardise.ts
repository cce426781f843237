import type { DenseMatrix } from "../matrix.ts";

/** Plain data: how the columns of a matrix were distributed. */
export interface Scaling {
  readonly means: Float64Array;
  /** 1 for a column without variation. */
  readonly deviations: Float64Array;
  /** Columns that had missing values: each gets a second column that says where. */
  readonly incomplete: readonly number[];
}

/** Means and deviations of the values that are finite numbers. */
export function measureScaling({ rows, columns, values }: DenseMatrix): Scaling {
  const means = new Float64Array(columns);
  const deviations = new Float64Array(columns).fill(1);
  const incomplete: number[] = [];
  for (let column = 0; column < columns; column++) {
    let count = 0;
    let sum = 0;
    for (let at = column; at < rows * columns; at += columns) {
      if (!Number.isFinite(values[at])) continue;
      count++;
      sum += values[at];
    }
    if (count < rows) incomplete.push(column);
    if (count === 0) continue;
    means[column] = sum / count;
    let squares = 0;
    for (let at = column; at < rows * columns; at += columns) {
      if (Number.isFinite(values[at])) squares += (values[at] - means[column]) ** 2;
    }
    const deviation = Math.sqrt(squares / count);
    // Rounding leaves a constant column with a deviation that is tiny, not zero.
    if (deviation > 1e-12 * Math.max(1, Math.abs(means[column]))) deviations[column] = deviation;
  }
  return { means, deviations, incomplete };
}

/**
 * Columns with mean 0 and deviation 1; what is missing or infinite becomes 0, and the incomplete columns are followed
 * by as many flags. Values far outside what was measured are cut at ±`limit` deviations.
 */
export function standardise(
  { rows, columns, values }: DenseMatrix,
  scaling: Scaling,
  limit = Number.POSITIVE_INFINITY,
): DenseMatrix {
  const { means, deviations, incomplete } = scaling;
  const width = columns + incomplete.length;
  const result = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < columns; j++) {
      const value = values[row * columns + j];
      if (!Number.isFinite(value)) continue;
      const scaled = (value - means[j]) / deviations[j];
      result[row * width + j] = Math.max(-limit, Math.min(limit, scaled));
    }
    for (const [i, column] of incomplete.entries()) {
      result[row * width + columns + i] = Number.isFinite(values[row * columns + column]) ? 0 : 1;
    }
  }
  return { rows, columns: width, values: result };
}
