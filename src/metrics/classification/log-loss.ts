import { numpyMean } from "../arithmetic/numpy-sum.ts";

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
  return numpyMean(multiclassLosses(truth, probability, null));
}

/**
 * The loss of each row of the truth. `rows` names the row of the probabilities that belongs to it; null: the same
 * one. So that a million rows in another order need not be copied column by column.
 */
export function multiclassLosses(
  truth: readonly Float64Array[],
  probability: readonly Float64Array[],
  rows: Uint32Array | null,
): Float64Array {
  const losses = new Float64Array(truth.length === 0 ? 0 : truth[0].length);
  for (let column = 0; column < truth.length; column++) {
    const expected = truth[column];
    const given = probability[column];
    for (let row = 0; row < losses.length; row++) {
      if (expected[row] === 0) continue;
      losses[row] -= expected[row] * Math.log(clipProbability(given[rows === null ? row : rows[row]]));
    }
  }
  return losses;
}
