import { numpyMeanOf } from "../arithmetic/numpy-sum.ts";

/** Root mean squared error; huge differences overflow to Infinity, which is a score. */
export function rmse(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const meanSquare = numpyMeanOf(truth.length, (row) => {
    const difference = truth[row] - predicted[row];
    return difference * difference;
  });
  return Math.sqrt(meanSquare);
}
