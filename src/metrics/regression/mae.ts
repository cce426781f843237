import { numpyMean } from "../arithmetic/numpy-sum.ts";

/** Mean absolute error; NaN without rows. */
export function mae(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const differences = new Float64Array(truth.length);
  for (let row = 0; row < differences.length; row++) differences[row] = Math.abs(predicted[row] - truth[row]);
  return numpyMean(differences);
}
