/** F-beta from counts, in one division; 0 when the denominator is 0, even if both sides are empty. */
export function fBeta(
  truePositives: number,
  trueCount: number,
  predictedCount: number,
  beta: number,
): number {
  const weight = beta * beta;
  const denominator = weight * trueCount + predictedCount;
  return denominator === 0 ? 0 : ((1 + weight) * truePositives) / denominator;
}
