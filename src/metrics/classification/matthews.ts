/**
 * Matthews correlation over any integer labels, not only 0 and 1. A constant truth or prediction gives 0, although
 * the quotient would be 0/0.
 */
export function matthewsCorrelation(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const rows = truth.length;
  const trueCounts = countLabels(truth);
  const predictedCounts = countLabels(predicted);
  let correct = 0;
  for (let row = 0; row < rows; row++) {
    if (truth[row] === predicted[row]) correct++;
  }
  let crossed = 0;
  for (const [label, count] of trueCounts) crossed += count * (predictedCounts.get(label) ?? 0);
  const trueSpread = rows * rows - sumOfSquares(trueCounts);
  const predictedSpread = rows * rows - sumOfSquares(predictedCounts);
  if (predictedSpread * trueSpread === 0) return 0;
  return (correct * rows - crossed) / Math.sqrt(trueSpread * predictedSpread);
}

function countLabels(labels: ArrayLike<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (let row = 0; row < labels.length; row++) counts.set(labels[row], (counts.get(labels[row]) ?? 0) + 1);
  return counts;
}

function sumOfSquares(counts: Map<number, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count * count;
  return sum;
}
