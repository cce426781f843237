import { averagePrecisionAtK } from "../../metrics/average-precision-at-k.ts";
import { numpyMean } from "../../metrics/numpy-sum.ts";
import { type Column, cellText } from "../../table/column.ts";

/**
 * Mean of the average precisions at k of pairs of rows. Cells are split at every single blank, so two blanks in a row
 * make an empty entry that takes up a rank; a missing cell is the one entry `nan`.
 */
export function meanAveragePrecision(
  predicted: Column,
  actual: Column,
  rows: { submission: Uint32Array; answers: Uint32Array },
  k: number,
): number {
  const precisions = new Float64Array(rows.answers.length);
  for (let i = 0; i < precisions.length; i++) {
    const expected = new Set(cellText(actual, rows.answers[i]).split(" "));
    const ranked = cellText(predicted, rows.submission[i]).split(" ", k);
    precisions[i] = averagePrecisionAtK(expected, ranked, k);
  }
  return numpyMean(precisions);
}
