import { averageRanks } from "../arithmetic/ranks.ts";

/**
 * Spearman's rank correlation as scipy computes it: covariances of the ranks, divided by one deviation after the
 * other. Sums of ranks are exact, so their order does not matter. NaN for a missing value or a constant side;
 * infinities rank like other numbers.
 */
export function spearman(a: Float64Array, b: Float64Array): number {
  if (a.some(Number.isNaN) || b.some(Number.isNaN)) return Number.NaN;
  const count = a.length;
  const centre = (count + 1) / 2;
  const ranksA = averageRanks(a);
  const ranksB = averageRanks(b);
  let [squaresA, squaresB, products] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const x = ranksA[i] - centre;
    const y = ranksB[i] - centre;
    squaresA += x * x;
    squaresB += y * y;
    products += x * y;
  }
  const perDegree = 1 / (count - 1);
  const deviationA = Math.sqrt(squaresA * perDegree);
  const deviationB = Math.sqrt(squaresB * perDegree);
  const correlation = (products * perDegree) / deviationB / deviationA;
  return Math.min(Math.max(correlation, -1), 1);
}
