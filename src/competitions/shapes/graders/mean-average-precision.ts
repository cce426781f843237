import { numpyMean } from "../../../metrics/arithmetic/numpy-sum.ts";
import { averagePrecisionAtK } from "../../../metrics/sequences/average-precision-at-k.ts";
import { type Column, cellText, isMissing, isText } from "../../../table/columns/column.ts";
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
  const label = labelReader(actual);
  const order = inOrderOf(rows.submission, predicted.length);
  for (let i = 0; i < precisions.length; i++) {
    const place = order === null ? i : order[i];
    const answer = rows.answers[place];
    const row = rows.submission[place];
    const isPlain = label.read(answer) && predicted.texts !== null && isText(predicted, row);
    precisions[place] = isPlain
      ? precisionOfLabel(label, predicted.texts!, row, k)
      : averagePrecisionAtK(
          new Set(cellText(actual, answer).split(" ")),
          cellText(predicted, row).split(" ", k),
          k,
        );
  }
  return numpyMean(precisions);
}

/**
 * The places of the pairs in the order of the predictions, whose texts are by far the longest: they are then read one after
 * the other. Null where not every row of the submission is in exactly one pair.
 */
function inOrderOf(submissionRows: Uint32Array, rowCount: number): Uint32Array | null {
  if (submissionRows.length !== rowCount) return null;
  const places = new Uint32Array(rowCount).fill(rowCount);
  for (let i = 0; i < rowCount; i++) {
    if (places[submissionRows[i]] !== rowCount) return null;
    places[submissionRows[i]] = i;
  }
  return places;
}

/** The bytes of one label, which can be looked for in the bytes of a list. */
interface Label {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Moves to the label of a row; false where it has several, or is neither a text nor a whole number of some digits. */
  read(row: number): boolean;
}

const MAX_DIGITS = 9;

function labelReader(actual: Column): Label {
  const { texts, numbers } = actual;
  if (actual.kind === "text") {
    const label: Label = {
      bytes: texts!.bytes,
      start: 0,
      end: 0,
      read(row) {
        label.start = textStart(texts!, row);
        label.end = texts!.ends[row];
        for (let i = label.start; i < label.end; i++) if (label.bytes[i] === BLANK) return false;
        return !isMissing(actual, row);
      },
    };
    return label;
  }
  const bytes = new Uint8Array(MAX_DIGITS);
  const isWhole = actual.kind === "int" && actual.wide === null;
  const label: Label = {
    bytes,
    start: 0,
    end: MAX_DIGITS,
    read(row) {
      const value = numbers[row];
      if (!isWhole || value < 0 || value >= 10 ** MAX_DIGITS) return false;
      let rest = value | 0;
      let start = MAX_DIGITS;
      do {
        const tens = (rest / 10) | 0;
        bytes[--start] = 48 + rest - 10 * tens;
        rest = tens;
      } while (rest > 0);
      label.start = start;
      return true;
    },
  };
  return label;
}

/** `averagePrecisionAtK` for a single label: one over the rank at which it first occurs. No list is made. */
function precisionOfLabel(
  { bytes: wanted, start, end }: Label,
  texts: TextStore,
  row: number,
  k: number,
): number {
  const { bytes } = texts;
  const length = end - start;
  const stop = texts.ends[row];
  let at = textStart(texts, row);
  for (let rank = 1; rank <= k; rank++) {
    let same = 0;
    while (same < length && at + same < stop && bytes[at + same] === wanted[start + same]) same++;
    if (same === length && (at + same === stop || bytes[at + same] === BLANK)) return 1 / rank;
    at += same;
    while (at < stop && bytes[at] !== BLANK) at++;
    if (at === stop) return 0;
    at++;
  }
  return 0;
}
