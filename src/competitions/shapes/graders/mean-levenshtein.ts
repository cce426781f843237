import { type ByteRange, levenshtein, levenshteinOfBytes } from "../../../metrics/sequences/levenshtein.ts";
import { type Column, cellText, isText } from "../../../table/columns/column.ts";
import { textStart } from "../../../table/columns/text-store.ts";
import type { Grader } from "../../grader.ts";
import { requireNoneMissing } from "../cells/numbers.ts";
import { requireTexts } from "../cells/texts.ts";
import { oneTarget } from "../one-target.ts";

/**
 * The mean edit distance of two texts a row. Where cells may be of any kind they are compared as Python prints them:
 * a missing one is the text `nan`.
 */
export function meanLevenshtein({ id, target, cells }: Shape): Grader {
  return oneTarget({
    id,
    target,
    rounding: "numpy",
    read(predicted, problems) {
      const usable =
        cells === "any" || (requireTexts(predicted, problems) && requireNoneMissing(predicted, problems));
      return usable ? predicted : null;
    },
    score(predicted, truth, { submissionRows }) {
      let sum = 0;
      for (let row = 0; row < truth.length; row++) {
        sum += cellDistance(truth, row, predicted, submissionRows ? submissionRows[row] : row);
      }
      return sum / truth.length;
    },
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
