import { numpyMean } from "../arithmetic/numpy-sum.ts";
import { clipProbability } from "./log-loss.ts";

/**
 * Log loss of the probability of class 1. p and 1 - p are clipped separately, so the clipped pair need not sum to
 * one. Null where scikit-learn raises: only one class in the truth.
 */
export function binaryLogLoss(truth: ArrayLike<number>, probability: ArrayLike<number>): number | null {
  const losses = new Float64Array(truth.length);
  let positives = 0;
  for (let row = 0; row < losses.length; row++) {
    const isPositive = truth[row] === 1;
    if (isPositive) positives++;
    losses[row] = -Math.log(clipProbability(isPositive ? probability[row] : 1 - probability[row]));
  }
  if (positives === 0 || positives === losses.length) return null;
  return numpyMean(losses);
}
