/** Rows of each class, and how many of them were decided to be positive. */
export interface Decisions {
  positives: number;
  truePositives: number;
  negatives: number;
  falsePositives: number;
}

/**
 * Area under the ROC curve when every score is 0 or 1: four counts decide it, so no row needs sorting. Same
 * arithmetic as `rocAuc`, to the last bit. Null with one class only.
 */
export function decisionAuc({
  positives,
  truePositives,
  negatives,
  falsePositives,
}: Decisions): number | null {
  if (positives === 0 || negatives === 0) return null;
  const hitRate = truePositives / positives;
  const alarmRate = falsePositives / negatives;
  return (alarmRate * hitRate) / 2 + ((1 - alarmRate) * (1 + hitRate)) / 2;
}
