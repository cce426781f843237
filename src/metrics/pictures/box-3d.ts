import { words } from "../../table/python-text.ts";
import { descendingOrder } from "../arithmetic/descending-order.ts";
import { numpyMean, numpySum } from "../arithmetic/numpy-sum.ts";
import { type BoxTextError, readGroups } from "./box-text.ts";
import { type Corners, rectangleCorners, sharedArea } from "./rotated-rectangle.ts";

/** A box standing upright in space, turned by `yaw` around the vertical. */
export type Box3d = {
  confidence: number;
  x: number;
  y: number;
  z: number;
  width: number;
  length: number;
  height: number;
  yaw: number;
  label: string;
};

/** The true and the predicted boxes of one sample. */
export type Scene = { truth: readonly Box3d[]; predicted: readonly Box3d[] };

type Solid = { corners: Corners; bottom: number; top: number; volume: number };
type Overlap = { nearest: number; iou: number };

const THRESHOLDS = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/**
 * Reads groups of "confidence x y z width length height yaw class" between single blanks. A blank text has no boxes,
 * but a leading, trailing or doubled blank beside boxes is an error.
 */
export function parseBoxes3d(text: string): Box3d[] | BoxTextError {
  const pieces = words(text).length === 0 ? [] : text.split(" ");
  return readGroups<Box3d>(pieces, 9, 0, 8, (numbers, group) => {
    const [confidence, x, y, z, width, length, height, yaw] = numbers;
    if (Math.abs(yaw) === Number.POSITIVE_INFINITY) return { error: "infinite-yaw", token: group[7] };
    return { confidence, x, y, z, width, length, height, yaw, label: group[8] };
  });
}

/**
 * Mean over scenes and ten IoU thresholds of the mean average precision of the scene's true classes. Null if a box
 * that takes part has no legal shape. Predictions of a class the scene lacks cost nothing, whatever their shape.
 */
export function meanPrecision3d(scenes: readonly Scene[]): number | null {
  const values = new Float64Array(scenes.length * THRESHOLDS.length);
  for (const [index, scene] of scenes.entries()) {
    const precisions = scenePrecisions(scene);
    if (precisions === null) return null;
    values.set(precisions, index * THRESHOLDS.length);
  }
  return numpyMean(values);
}

function scenePrecisions(scene: Scene): number[] | null {
  const labels = [...new Set(scene.truth.map((box) => box.label))].sort();
  const perClass: number[][] = [];
  for (const label of labels) {
    const truth = scene.truth.filter((box) => box.label === label);
    const predicted = scene.predicted.filter((box) => box.label === label);
    const overlaps = predicted.length === 0 ? [] : rankedOverlaps(truth, predicted);
    if (overlaps === null) return null;
    perClass.push(THRESHOLDS.map((threshold) => averagePrecisionAt(threshold, overlaps, truth.length)));
  }
  return THRESHOLDS.map((_, at) => numpyMean(Float64Array.from(perClass, (precisions) => precisions[at])));
}

/** For each prediction, most confident first, the true box it overlaps most; null if a box is illegal. */
function rankedOverlaps(truth: readonly Box3d[], predicted: readonly Box3d[]): Overlap[] | null {
  const trueSolids = truth.map(solid);
  const overlaps: Overlap[] = [];
  for (const index of descendingOrder(predicted.map((box) => box.confidence))) {
    const predictedSolid = solid(predicted[index]);
    if (predictedSolid === null) return null;
    const best = { nearest: 0, iou: Number.NEGATIVE_INFINITY };
    for (const [at, trueSolid] of trueSolids.entries()) {
      if (trueSolid === null) return null;
      const iou = solidIou(predictedSolid, trueSolid);
      if (iou > best.iou) Object.assign(best, { nearest: at, iou });
    }
    overlaps.push(best);
  }
  return overlaps;
}

/** Only the most overlapped true box is tried: if it is taken, the prediction is a false alarm. */
function averagePrecisionAt(threshold: number, overlaps: readonly Overlap[], truths: number): number {
  const taken = new Uint8Array(truths);
  const count = overlaps.length;
  const recall = new Float64Array(count + 2);
  const precision = new Float64Array(count + 2);
  let hits = 0;
  for (const [rank, { nearest, iou }] of overlaps.entries()) {
    if (iou > threshold && taken[nearest] === 0) {
      taken[nearest] = 1;
      hits++;
    }
    recall[rank + 1] = hits / truths;
    precision[rank + 1] = hits / (rank + 1);
  }
  recall[count + 1] = 1;
  for (let i = count; i >= 0; i--) precision[i] = Math.max(precision[i], precision[i + 1]);
  const steps: number[] = [];
  for (let i = 0; i <= count; i++) {
    if (recall[i + 1] !== recall[i]) steps.push((recall[i + 1] - recall[i]) * precision[i + 1]);
  }
  return numpySum(Float64Array.from(steps));
}

function solid(box: Box3d): Solid | null {
  const { x, y, z, width, length, height, yaw } = box;
  if ([x, y, z, yaw].some(Number.isNaN) || !(width > 0 && length > 0 && height > 0)) return null;
  const corners = rectangleCorners(x, y, length, width, yaw);
  if (corners === null) return null;
  return { corners, bottom: z - height / 2, top: z + height / 2, volume: width * length * height };
}

function solidIou(a: Solid, b: Solid): number {
  const height = Math.max(0, Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom));
  const shared = height * sharedArea(a.corners, b.corners);
  return Math.min(1, Math.max(0, shared / (a.volume + b.volume - shared)));
}
