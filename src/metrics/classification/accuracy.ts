/** The share of rows on which two label lists agree; NaN labels agree with nothing, and no rows give NaN. */
export function accuracy(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  let matches = 0;
  for (let row = 0; row < truth.length; row++) {
    if (truth[row] === predicted[row]) matches++;
  }
  return matches / truth.length;
}
