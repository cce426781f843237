import type { DenseMatrix } from "../../../src/learning/matrix.ts";
import { randomNormal, seededRandom } from "../../../src/learning/seeded-random.ts";

/** Normal numbers; the same seed, the same matrix. */
export function normalMatrix(rows: number, columns: number, seed: number): DenseMatrix {
  const random = seededRandom(seed);
  return { rows, columns, values: Float64Array.from({ length: rows * columns }, () => randomNormal(random)) };
}

/** A number for each row, computed from its values. */
export function targetOf(matrix: DenseMatrix, of: (...values: number[]) => number): Float64Array {
  return Float64Array.from({ length: matrix.rows }, (_, row) =>
    of(...matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns)),
  );
}

/** The gradient by central differences. */
export function numericGradient(of: (x: Float64Array) => number, x: Float64Array, step = 1e-5): Float64Array {
  return x.map((_, i) => {
    const [above, below] = [x.slice(), x.slice()];
    above[i] += step;
    below[i] -= step;
    return (of(above) - of(below)) / (2 * step);
  });
}

/** The largest distance between two lists of numbers. */
export function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = a.length === b.length ? 0 : Number.POSITIVE_INFINITY;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
