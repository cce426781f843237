/**
 * F1 with probabilities in place of decisions; values outside 0..1 are clamped. A missing prediction (NaN) gives 0.
 * Null where the original divides by zero: every prediction is negative, or the truth has no positive row.
 */
export function probabilisticF1(truth: ArrayLike<number>, predicted: ArrayLike<number>): number | null {
  let positives = 0;
  let hits = 0;
  let falseAlarms = 0;
  let isAllNegative = true;
  for (let row = 0; row < truth.length; row++) {
    if (!(predicted[row] < 0)) isAllNegative = false;
    const probability = Math.min(Math.max(predicted[row], 0), 1);
    if (truth[row] === 1) {
      positives++;
      hits += probability;
    } else {
      falseAlarms += probability;
    }
  }
  if (isAllNegative || positives === 0) return null;
  const precision = hits / (hits + falseAlarms);
  const recall = hits / positives;
  // With NaN in either, both comparisons fail and the score is 0, not NaN.
  return precision > 0 && recall > 0 ? (2 * (precision * recall)) / (precision + recall) : 0;
}
