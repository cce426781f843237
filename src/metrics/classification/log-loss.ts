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
  const count = truth.length === 0 ? 0 : truth[0].length;
  const losses = new Float64Array(count);
  const ofClass = new Uint32Array(count);
  const values = new Float64Array(count);
  for (let column = 0; column < truth.length; column++) {
    const expected = truth[column];
    const given = probability[column];
    let found = 0;
    for (let row = 0; row < count; row++) {
      ofClass[found] = row;
      if (expected[row] !== 0) found++;
    }
    // Apart from the logarithms: the processor then waits for many of these far places at once.
    for (let i = 0; i < found; i++) values[i] = given[rows === null ? ofClass[i] : rows[ofClass[i]]];
    for (let i = 0; i < found; i++)
      losses[ofClass[i]] -= expected[ofClass[i]] * Math.log(clipProbability(values[i]));
  }
  return losses;
}
