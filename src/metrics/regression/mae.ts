import { numpyMeanOf } from "../arithmetic/numpy-sum.ts";

/** Mean absolute error; NaN without rows. */
export function mae(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  return numpyMeanOf(truth.length, (row) => Math.abs(predicted[row] - truth[row]));
}
