import { numpyMean } from "../arithmetic/numpy-sum.ts";

const SMALLEST = 1e-15;

/**
 * Mean Kullback-Leibler divergence of predicted probabilities from vote shares, column by column. A column with
 * `clip` false is taken as it is: a zero there, where there were votes, makes the score +Infinity. A missing
 * probability (NaN) adds nothing instead of spoiling its row.
 */
export function klDivergence(
  votes: readonly Float64Array[],
  probability: readonly Float64Array[],
  clip: readonly boolean[],
): number {
  const rows = votes.length === 0 ? 0 : votes[0].length;
  const losses = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let total = 0;
    for (const column of votes) total += column[row];
    for (let column = 0; column < votes.length; column++) {
      const share = votes[column][row] / total;
      const given = probability[column][row];
      const p = clip[column] ? Math.min(Math.max(given, SMALLEST), 1 - SMALLEST) : given;
      if (share === 0) continue;
      const term = share * Math.log(share / p);
      if (!Number.isNaN(term)) losses[row] += term;
    }
  }
  return numpyMean(losses);
}
