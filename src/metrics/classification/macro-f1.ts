import { labelPositions } from "../arithmetic/label-positions.ts";
import { numpyMean } from "../arithmetic/numpy-sum.ts";

/**
 * The mean F1 over every label of the truth or the prediction. A label that is only predicted is a class of its own
 * with F1 = 0, so wild guesses lower the mean.
 */
export function macroF1(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const positions = labelPositions(truth, predicted);
  const hits = new Float64Array(positions.classes);
  const occurrences = new Float64Array(positions.classes);
  for (let row = 0; row < truth.length; row++) {
    occurrences[positions.truth[row]]++;
    occurrences[positions.predicted[row]]++;
    if (positions.truth[row] === positions.predicted[row]) hits[positions.truth[row]]++;
  }
  return numpyMean(hits.map((count, label) => (2 * count) / occurrences[label]));
}
