import { numpyMean } from "./numpy-sum.ts";

const EPSILON = 2 ** -52;

/** A probability kept away from 0 and 1 by the distance scikit-learn uses for doubles; NaN stays NaN. */
export function clipProbability(probability: number): number {
  return Math.min(Math.max(probability, EPSILON), 1 - EPSILON);
}

/**
 * Multi-class log loss over columns in the same order on both sides. Rows are not rescaled to sum to one, and a row
 * without a true class costs nothing.
 */
export function multiclassLogLoss(
  truth: readonly Float64Array[],
  probability: readonly Float64Array[],
): number {
  const losses = new Float64Array(truth.length === 0 ? 0 : truth[0].length);
  for (let column = 0; column < truth.length; column++) {
    const expected = truth[column];
    const given = probability[column];
    for (let row = 0; row < losses.length; row++) {
      if (expected[row] !== 0) losses[row] -= expected[row] * Math.log(clipProbability(given[row]));
    }
  }
  return numpyMean(losses);
}
