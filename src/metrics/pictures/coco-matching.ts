import { descendingOrder } from "../arithmetic/descending-order.ts";

/** Four corner numbers and the box's number in its whole file. */
export type NumberedBox = { number: number; x1: number; y1: number; x2: number; y2: number };

/** A predicted box with its score and number. */
export type NumberedDetection = NumberedBox & { score: number };

/** `as-sizes` takes the second corner for width and height, as the original does; `as-corners` takes it for a corner. */
export type BoxReading = "as-sizes" | "as-corners";

/** How the predicted boxes of one class on one image fared, highest score first. */
export type ImageMatches = {
  detections: { score: number; matched: boolean; ignored: boolean }[];
  /** True boxes that count for recall. */
  countedTruths: number;
};

const MIN_IOU = 0.4;
const MAX_DETECTIONS = 100;
const MAX_AREA = 1e10;

/**
 * Matches the predicted boxes of one class on one image greedily by score. Number 0 means "nothing" on both sides:
 * a prediction matched to true box 0 counts as unmatched, and a true box matched by prediction 0 stays free.
 */
export function matchImage(
  truth: readonly NumberedBox[],
  predicted: readonly NumberedDetection[],
  reading: BoxReading = "as-sizes",
): ImageMatches {
  const counted = truth.filter(areaInRange);
  const truths = [...counted, ...truth.filter((box) => !areaInRange(box))];
  const takenBy = new Array<number>(truths.length).fill(0);
  const order = descendingOrder(predicted.map((box) => box.score)).slice(0, MAX_DETECTIONS);
  const detections = order.map((index) => {
    const detection = predicted[index];
    const match = bestTruth(detection, truths, counted.length, takenBy, reading);
    if (match >= 0) takenBy[match] = detection.number;
    const matched = match >= 0 && truths[match].number !== 0;
    const ignored = match >= counted.length || (!matched && !areaInRange(detection));
    return { score: detection.score, matched, ignored };
  });
  return { detections, countedTruths: counted.length };
}

/** Equal overlaps move on to the later box, and a NaN overlap is never below the best, so it matches. */
function bestTruth(
  detection: NumberedBox,
  truths: readonly NumberedBox[],
  counted: number,
  takenBy: readonly number[],
  reading: BoxReading,
): number {
  let best = MIN_IOU;
  let match = -1;
  for (let i = 0; i < truths.length; i++) {
    if (takenBy[i] > 0) continue;
    if (match >= 0 && match < counted && i >= counted) break;
    const iou = sizedIou(sized(detection, reading), sized(truths[i], reading));
    if (iou < best) continue;
    best = iou;
    match = i;
  }
  return match;
}

/** The second corner as the width and height that `sizedIou` wants; misread ones stay as they are. */
function sized(box: NumberedBox, reading: BoxReading): NumberedBox {
  return reading === "as-sizes" ? box : { ...box, x2: box.x2 - box.x1, y2: box.y2 - box.y1 };
}

/** IoU of (x, y, width, height); the original feeds it corners. */
function sizedIou(a: NumberedBox, b: NumberedBox): number {
  const width = smaller(a.x1 + a.x2, b.x1 + b.x2) - larger(a.x1, b.x1);
  if (width <= 0) return 0;
  const height = smaller(a.y1 + a.y2, b.y1 + b.y2) - larger(a.y1, b.y1);
  if (height <= 0) return 0;
  const shared = width * height;
  return shared / (a.x2 * a.y2 + b.x2 * b.y2 - shared);
}

/** The range test uses the true area, unlike the overlap; NaN is in range. */
function areaInRange(box: NumberedBox): boolean {
  const area = (box.x2 - box.x1) * (box.y2 - box.y1);
  return !(area < 0 || area > MAX_AREA);
}

// C's fmin and fmax: a NaN operand loses.
function smaller(a: number, b: number): number {
  return a < b || Number.isNaN(b) ? a : b;
}

function larger(a: number, b: number): number {
  return a > b || Number.isNaN(b) ? a : b;
}
