import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { levenshteinOf } from "../../metrics/sequences/levenshtein.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import { words } from "../../table/python-text.ts";
import { defineGrader, type Grader } from "../grader.ts";
import { requireNoneMissing } from "../shapes/cells/numbers.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { requireTexts } from "../shapes/cells/texts.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";

/**
 * The mean edit distance of two sequences of phonemes a row. A phoneme is whatever stands between blanks, so that one
 * wrong phoneme of two letters costs 1, not 2.
 */
export function meanPhonemeDistance({ id, target }: { id: string; target: string }): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const { alignment, predicted } = requireIdAndTarget(tables, id, target, problems);
      if (!predicted) return null;
      const usable = requireTexts(predicted, problems) && requireNoneMissing(predicted, problems);
      return usable && alignment ? { alignment, predicted } : null;
    },
    score({ alignment: { submissionRows }, predicted }, { answers }) {
      const truth = answers.column(target)!;
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
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}

/** A number for each phoneme; new ones are numbered as they come. */
function phonemes(column: Column, row: number, numberOf: Map<string, number>): number[] {
  return words(cellText(column, row)).map((word) => {
    if (!numberOf.has(word)) numberOf.set(word, numberOf.size);
    return numberOf.get(word)!;
  });
}
