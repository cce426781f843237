import { descendingOrder } from "../arithmetic/descending-order.ts";
import { numpyMean } from "../arithmetic/numpy-sum.ts";
import { type BoxTextError, readGroups } from "./box-text.ts";
import {
  type BoxReading,
  type ImageMatches,
  matchImage,
  type NumberedBox,
  type NumberedDetection,
} from "./coco-matching.ts";

/** Class, score and the four corner numbers of one predicted box, as written. */
export type ClassBox = { category: number; score: number; x1: number; y1: number; x2: number; y2: number };

/** A true box of one image. */
export type TrueBox = { image: string } & Omit<ClassBox, "score">;

/** A predicted box of one image. */
export type PredictedBox = { image: string } & ClassBox;

type ImageBoxes = { truth: NumberedBox[]; predicted: NumberedDetection[] };

const RECALL_LEVELS = 101;
const EPSILON = 2 ** -52;

/** Reads groups of "class score x1 y1 x2 y2" between single blanks; a fractional class is cut (3.9 is class 3). */
export function parseClassBoxes(text: string): ClassBox[] | BoxTextError {
  return readGroups<ClassBox>(text.split(" "), 6, 0, 6, ([category, score, x1, y1, x2, y2], [token]) =>
    Number.isFinite(category)
      ? { category: Math.trunc(category), score, x1, y1, x2, y2 }
      : { error: "class-not-finite", token },
  );
}

/**
 * Mean precision at IoU 0.4 over 101 recall levels and all classes of the truth, as the COCO evaluation computes it;
 * -1 if no class can be judged. Both lists are in file order and name the same images: the order numbers the boxes,
 * and number 0 counts as "no match", so even a perfect submission stays below 1. Read as corners, boxes are numbered
 * from 1 and every one can be matched.
 */
export function cocoMeanPrecision(
  truth: readonly TrueBox[],
  predicted: readonly PredictedBox[],
  reading: BoxReading = "as-sizes",
): number {
  const curves: Float64Array[] = [];
  const firstNumber = reading === "as-sizes" ? 0 : 1;
  for (const images of boxesByClass(truth, predicted, firstNumber)) {
    const curve = precisionCurve(images.map((boxes) => matchImage(boxes.truth, boxes.predicted, reading)));
    if (curve) curves.push(curve);
  }
  if (curves.length === 0) return -1;
  const levelsOuter = new Float64Array(RECALL_LEVELS * curves.length);
  for (const [index, curve] of curves.entries()) {
    for (const [level, precision] of curve.entries()) levelsOuter[level * curves.length + index] = precision;
  }
  return numpyMean(levelsOuter);
}

/** For each class of the truth, ascending, the boxes of every image that has any, by image number. */
function boxesByClass(
  truth: readonly TrueBox[],
  predicted: readonly PredictedBox[],
  firstNumber: number,
): ImageBoxes[][] {
  const imageNumbers = new Map<string, number>();
  for (const box of truth) if (!imageNumbers.has(box.image)) imageNumbers.set(box.image, imageNumbers.size);
  const imageOf = (box: { image: string }) => imageNumbers.get(box.image)!;
  const classes = new Map<number, Map<number, ImageBoxes>>(truth.map((box) => [box.category, new Map()]));
  const boxesAt = (images: Map<number, ImageBoxes>, image: number) => {
    const boxes = images.get(image) ?? { truth: [], predicted: [] };
    images.set(image, boxes);
    return boxes;
  };
  const imageByImage = truth.toSorted((a, b) => imageOf(a) - imageOf(b));
  for (const [index, box] of imageByImage.entries()) {
    const number = index + firstNumber;
    boxesAt(classes.get(box.category)!, imageOf(box)).truth.push({ ...box, number });
  }
  for (const [index, box] of predicted.entries()) {
    const number = index + firstNumber;
    const images = classes.get(box.category);
    if (images) boxesAt(images, imageOf(box)).predicted.push({ ...box, number });
  }
  return ascending(classes).map((images) => ascending(images));
}

function ascending<T>(entries: Map<number, T>): T[] {
  return [...entries].sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** Precision at each recall level, 0 where it is never reached; null for a class without counted true boxes. */
function precisionCurve(images: readonly ImageMatches[]): Float64Array | null {
  const positives = images.reduce((sum, image) => sum + image.countedTruths, 0);
  if (positives === 0) return null;
  const detections = images.flatMap((image) => image.detections);
  const recall = new Float64Array(detections.length);
  const precision = new Float64Array(detections.length);
  let hits = 0;
  let falseAlarms = 0;
  for (const [rank, index] of descendingOrder(detections.map((d) => d.score)).entries()) {
    const { matched, ignored } = detections[index];
    if (!ignored && matched) hits++;
    if (!ignored && !matched) falseAlarms++;
    recall[rank] = hits / positives;
    precision[rank] = hits / (falseAlarms + hits + EPSILON);
  }
  for (let k = precision.length - 1; k > 0; k--) precision[k - 1] = Math.max(precision[k - 1], precision[k]);
  const curve = new Float64Array(RECALL_LEVELS);
  let k = 0;
  for (let level = 0; level < RECALL_LEVELS; level++) {
    while (k < recall.length && recall[k] < level * 0.01) k++;
    curve[level] = k < recall.length ? precision[k] : 0;
  }
  return curve;
}
