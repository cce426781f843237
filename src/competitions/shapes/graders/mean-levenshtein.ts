import { type ByteRange, levenshtein, levenshteinOfBytes } from "../../../metrics/sequences/levenshtein.ts";
import { type Column, cellText, isText } from "../../../table/columns/column.ts";
import { textStart } from "../../../table/columns/text-store.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { requireNoneMissing } from "../cells/numbers.ts";
import { pairsOf } from "../cells/pairs.ts";
import { requireTexts } from "../cells/texts.ts";
import { requireIdAndTarget } from "../id-and-target.ts";

/**
 * The mean edit distance of two texts a row. Where cells may be of any kind they are compared as Python prints them:
 * a missing one is the text `nan`.
 */
export function meanLevenshtein({ id, target, cells }: Shape): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const { alignment, predicted } = requireIdAndTarget(tables, id, target, problems);
      if (!predicted) return null;
      const usable =
        cells === "any" || (requireTexts(predicted, problems) && requireNoneMissing(predicted, problems));
      return usable && alignment ? { alignment, predicted } : null;
    },
    score({ alignment: { submissionRows }, predicted }, { answers }) {
      const truth = answers.column(target)!;
      let sum = 0;
      for (let row = 0; row < truth.length; row++) {
        sum += cellDistance(truth, row, predicted, submissionRows ? submissionRows[row] : row);
      }
      return sum / truth.length;
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}

interface Shape {
  id: string;
  target: string;
  cells: "texts" | "any";
}

function cellDistance(truth: Column, row: number, predicted: Column, predictedRow: number): number {
  const quick =
    isText(truth, row) && isText(predicted, predictedRow)
      ? levenshteinOfBytes(bytesAt(truth, row), bytesAt(predicted, predictedRow))
      : null;
  return quick ?? levenshtein(cellText(truth, row), cellText(predicted, predictedRow));
}

function bytesAt({ texts }: Column, row: number): ByteRange {
  return { bytes: texts!.bytes, start: textStart(texts!, row), end: texts!.ends[row] };
}
