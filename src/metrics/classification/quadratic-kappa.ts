import { labelPositions } from "../arithmetic/label-positions.ts";
import { numpySum } from "../arithmetic/numpy-sum.ts";

const BLOCK = 8192;

/**
 * Quadratic weighted kappa. The weights are distances between positions in the sorted list of all labels seen, not
 * between label values: predicting 100 for a 5 costs no more than predicting 6. NaN if there is a single label overall.
 */
export function quadraticWeightedKappa(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const positions = labelPositions(truth, predicted);
  const trueCounts = new Float64Array(positions.classes);
  const predictedCounts = new Float64Array(positions.classes);
  let observed = 0;
  for (let row = 0; row < truth.length; row++) {
    const distance = positions.truth[row] - positions.predicted[row];
    observed += distance * distance;
    trueCounts[positions.truth[row]]++;
    predictedCounts[positions.predicted[row]]++;
  }
  return 1 - observed / expectedDisagreement(trueCounts, predictedCounts, truth.length);
}

/**
 * The sum over a classes × classes matrix, taken in numpy's blocks without building it: a submission with thousands
 * of different labels would otherwise need gigabytes.
 */
function expectedDisagreement(
  trueCounts: Float64Array,
  predictedCounts: Float64Array,
  total: number,
): number {
  const classes = trueCounts.length;
  const block = new Float64Array(Math.min(BLOCK, classes * classes));
  let filled = 0;
  let sum = 0;
  for (let i = 0; i < classes; i++) {
    for (let j = 0; j < classes; j++) {
      const distance = i - j;
      block[filled++] = distance * distance * ((trueCounts[i] * predictedCounts[j]) / total);
      if (filled === BLOCK) {
        sum += numpySum(block);
        filled = 0;
      }
    }
  }
  return sum + numpySum(block.subarray(0, filled));
}
