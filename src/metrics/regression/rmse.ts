import { numpyMean } from "../arithmetic/numpy-sum.ts";

/** Root mean squared error; huge differences overflow to Infinity, which is a score. */
export function rmse(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const squares = new Float64Array(truth.length);
  for (let row = 0; row < squares.length; row++) {
    const difference = truth[row] - predicted[row];
    squares[row] = difference * difference;
  }
  return Math.sqrt(numpyMean(squares));
}
