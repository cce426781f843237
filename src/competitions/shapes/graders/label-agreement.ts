import { accuracy } from "../../../metrics/classification/accuracy.ts";
import { type Column, isNumeric } from "../../../table/columns/column.ts";
import { compareTexts, type TextStore } from "../../../table/columns/text-store.ts";
import { gather } from "../gather.ts";

/**
 * The share of rows with equal labels. Texts never equal numbers, so such a comparison gives 0; but null, no score
 * at all, when neither side has more than two different labels.
 */
export function labelAgreement(truth: Column, predicted: Column, rows: Uint32Array | null): number | null {
  if (isNumeric(truth) && isNumeric(predicted))
    return accuracy(truth.numbers, gather(predicted.numbers, rows));
  if (truth.kind === "text" && predicted.kind === "text")
    return countEqualTexts(truth.texts!, predicted.texts!, rows) / truth.length;
  return hasAtMostTwoLabels(truth) && hasAtMostTwoLabels(predicted) ? null : 0;
}

/** How many rows hold the same text. A missing cell is stored as an empty text, which no other cell can be. */
export function countEqualTexts(truth: TextStore, predicted: TextStore, rows: Uint32Array | null): number {
  let equal = 0;
  for (let row = 0; row < truth.length; row++) {
    if (compareTexts(truth, row, predicted, rows === null ? row : rows[row]) === 0) equal++;
  }
  return equal;
}

export function hasAtMostTwoLabels(column: Column): boolean {
  const { texts, numbers } = column;
  const same = texts
    ? (a: number, b: number) => compareTexts(texts, a, texts, b) === 0
    : (a: number, b: number) => numbers[a] === numbers[b];
  let other = 0;
  for (let row = 1; row < column.length; row++) {
    if (same(row, 0) || same(row, other)) continue;
    if (other > 0) return false;
    other = row;
  }
  return true;
}
