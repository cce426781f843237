import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { levenshteinOf } from "../../metrics/sequences/levenshtein.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import { words } from "../../table/python-text.ts";
import type { Grader } from "../grader.ts";
import { requireNoneMissing } from "../shapes/cells/numbers.ts";
import { requireTexts } from "../shapes/cells/texts.ts";
import { oneTarget } from "../shapes/one-target.ts";

/**
 * The mean edit distance of two sequences of phonemes a row. A phoneme is whatever stands between blanks, so that one
 * wrong phoneme of two letters costs 1, not 2.
 */
export function meanPhonemeDistance({ id, target }: { id: string; target: string }): Grader {
  return oneTarget({
    id,
    target,
    rounding: "numpy",
    read: (predicted, problems) =>
      requireTexts(predicted, problems) && requireNoneMissing(predicted, problems) ? predicted : null,
    score(predicted, truth, { submissionRows }) {
      const numberOf = new Map<string, number>();
      const distances = new Float64Array(truth.length);
      for (let row = 0; row < truth.length; row++) {
        const predictedRow = submissionRows ? submissionRows[row] : row;
        distances[row] = levenshteinOf(
          phonemes(truth, row, numberOf),
          phonemes(predicted, predictedRow, numberOf),
        );
      }
      return numpyMean(distances);
    },
  });
}

/** A number for each phoneme; new ones are numbered as they come. */
function phonemes(column: Column, row: number, numberOf: Map<string, number>): number[] {
  return words(cellText(column, row)).map((word) => {
    if (!numberOf.has(word)) numberOf.set(word, numberOf.size);
    return numberOf.get(word)!;
  });
}
