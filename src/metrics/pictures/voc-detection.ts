import { words } from "../../table/python-text.ts";
import { descendingOrder } from "../arithmetic/descending-order.ts";
import { numpyMean } from "../arithmetic/numpy-sum.ts";
import { averagePrecision } from "../classification/average-precision.ts";
import { type BoxTextError, readGroups } from "./box-text.ts";

/** One labelled box with its corners; a true box has a confidence too, which is not read. */
export type LabelledBox = {
  label: string;
  confidence: number;
  xMin: number;
  yMin: number;
  xMax: number;
  yMax: number;
};

/** The true and the predicted boxes of one row of the submission. */
export type DetectionRow = { truth: readonly LabelledBox[]; predicted: readonly LabelledBox[] };

/** Reads groups of "label confidence xmin ymin xmax ymax"; a blank text has no boxes. */
export function parseLabelledBoxes(text: string): LabelledBox[] | BoxTextError {
  return readGroups(words(text), 6, 1, 5, ([confidence, xMin, yMin, xMax, yMax], [label]) => ({
    label,
    confidence,
    xMin,
    yMin,
    xMax,
    yMax,
  }));
}

/**
 * Mean of the average precisions of all labels that occur in the truth, each judged over all rows. Null where the
 * original fails: a confidence of a graded label that is not finite, or a label without any negative pair.
 */
export function meanDetectionPrecision(rows: readonly DetectionRow[]): number | null {
  const labels = [...new Set(rows.flatMap((row) => row.truth.map((box) => box.label)))].sort();
  const precisions = new Float64Array(labels.length);
  for (const [index, label] of labels.entries()) {
    const { truth, score } = detectionPairs(rows, label);
    const precision = averagePrecision(truth, score);
    if (precision === null) return null;
    precisions[index] = precision;
  }
  return numpyMean(precisions);
}

/**
 * The ranking of one label over all rows as (is it true, confidence) pairs. A missed true box is a positive with
 * score 0, so it still earns recall at the end; a row with nothing of the label is a negative with score 0.
 */
export function detectionPairs(
  rows: readonly DetectionRow[],
  label: string,
): { truth: Uint8Array; score: Float64Array } {
  const truth: number[] = [];
  const score: number[] = [];
  for (const row of rows) {
    const open = row.truth.filter((box) => box.label === label);
    const predicted = row.predicted.filter((box) => box.label === label);
    if (open.length === 0 && predicted.length === 0) {
      truth.push(0);
      score.push(0);
      continue;
    }
    for (const index of descendingOrder(predicted.map((box) => box.confidence))) {
      const match = bestMatch(predicted[index], open);
      if (match >= 0) open.splice(match, 1);
      truth.push(match >= 0 ? 1 : 0);
      score.push(predicted[index].confidence);
    }
    for (const _ of open) {
      truth.push(1);
      score.push(0);
    }
  }
  return { truth: Uint8Array.from(truth), score: Float64Array.from(score) };
}

function bestMatch(box: LabelledBox, open: readonly LabelledBox[]): number {
  let best = 0.5;
  let match = -1;
  for (let i = 0; i < open.length; i++) {
    const iou = cornerIou(box, open[i]);
    if (iou > best) {
      best = iou;
      match = i;
    }
  }
  return match;
}

/** Areas are taken as they come, so a box with exchanged corners has a negative one (or a positive, if both are). */
function cornerIou(a: LabelledBox, b: LabelledBox): number {
  const width = Math.max(0, Math.min(a.xMax, b.xMax) - Math.max(a.xMin, b.xMin));
  const height = Math.max(0, Math.min(a.yMax, b.yMax) - Math.max(a.yMin, b.yMin));
  const shared = width * height;
  const union = area(a) + area(b) - shared;
  return union > 0 ? shared / union : 0;
}

function area(box: LabelledBox): number {
  return (box.xMax - box.xMin) * (box.yMax - box.yMin);
}
