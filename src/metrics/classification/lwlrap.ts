import { numpyMean } from "../arithmetic/numpy-sum.ts";

/**
 * Label-weighted label-ranking average precision over class columns; each row counts as often as it has true labels.
 * Equal scores take the worst rank, so constant scores earn next to nothing. Rows without a true label are skipped
 * unseen. Null where the original fails: a score that is not finite in a row that counts, or no such row at all.
 */
export function labelWeightedLrap(
  truth: readonly Float64Array[],
  score: readonly Float64Array[],
): number | null {
  const classes = truth.length;
  const rows = classes === 0 ? 0 : truth[0].length;
  let total = 0;
  let weights = 0;
  for (let row = 0; row < rows; row++) {
    const relevant: number[] = [];
    for (let label = 0; label < classes; label++) if (truth[label][row] === 1) relevant.push(label);
    if (relevant.length === 0) continue;
    for (let label = 0; label < classes; label++) if (!Number.isFinite(score[label][row])) return null;
    total += rowPrecision(score, row, relevant) * relevant.length;
    weights += relevant.length;
  }
  return weights === 0 ? null : total / weights;
}

function rowPrecision(score: readonly Float64Array[], row: number, relevant: readonly number[]): number {
  if (relevant.length === score.length) return 1;
  const precisions = Float64Array.from(relevant, (label) => {
    const own = score[label][row];
    let rank = 0;
    let relevantRank = 0;
    for (const column of score) if (column[row] >= own) rank++;
    for (const other of relevant) if (score[other][row] >= own) relevantRank++;
    return relevantRank / rank;
  });
  return numpyMean(precisions);
}
