import { numpyMean } from "../arithmetic/numpy-sum.ts";

/**
 * The mean over groups of ln(mean absolute error). There is no floor: one group predicted perfectly makes the score
 * -Infinity, which cannot be beaten.
 */
export function groupedLogMae(
  group: Int32Array,
  groups: number,
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
): number {
  const ends = new Uint32Array(groups + 1);
  for (const index of group) ends[index + 1]++;
  for (let index = 0; index < groups; index++) ends[index + 1] += ends[index];
  const starts = ends.slice();
  // Errors laid out group after group, rows in their given order: the order numpy sums them in.
  const errors = new Float64Array(group.length);
  for (let row = 0; row < group.length; row++) {
    errors[starts[group[row]]++] = Math.abs(predicted[row] - truth[row]);
  }
  const logs = new Float64Array(groups);
  for (let index = 0; index < groups; index++) {
    logs[index] = Math.log(numpyMean(errors.subarray(ends[index], ends[index + 1])));
  }
  return numpyMean(logs);
}
