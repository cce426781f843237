import { numpyMean } from "../../../metrics/arithmetic/numpy-sum.ts";
import { averagePrecisionAtK } from "../../../metrics/sequences/average-precision-at-k.ts";
import { type Column, cellText, isText } from "../../../table/columns/column.ts";
import { type TextStore, textStart } from "../../../table/columns/text-store.ts";

const BLANK = 32;

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
    const label = cellText(actual, rows.answers[i]);
    const row = rows.submission[i];
    precisions[i] =
      isPlainLabel(label) && isText(predicted, row)
        ? precisionOfLabel(label, predicted.texts!, row, k)
        : averagePrecisionAtK(new Set(label.split(" ")), cellText(predicted, row).split(" ", k), k);
  }
  return numpyMean(precisions);
}

/** One label of ASCII characters, as most truths are: it can be looked for in the bytes of a list. */
function isPlainLabel(label: string): boolean {
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    if (code === BLANK || code > 127) return false;
  }
  return true;
}

/** `averagePrecisionAtK` for a single label: one over the rank at which it first occurs. No list is made. */
function precisionOfLabel(label: string, texts: TextStore, row: number, k: number): number {
  const { bytes } = texts;
  const end = texts.ends[row];
  let at = textStart(texts, row);
  for (let rank = 1; rank <= k; rank++) {
    let same = 0;
    while (same < label.length && at + same < end && bytes[at + same] === label.charCodeAt(same)) same++;
    if (same === label.length && (at + same === end || bytes[at + same] === BLANK)) return 1 / rank;
    while (at < end && bytes[at] !== BLANK) at++;
    if (at === end) return 0;
    at++;
  }
  return 0;
}
