import { intersection, type Runs } from "./run-length.ts";

// 0.5 + i * 0.050000000000000044: the accumulated steps, not the decimals they look like.
const THRESHOLDS = [
  0.5, 0.55, 0.6000000000000001, 0.6500000000000001, 0.7000000000000002, 0.7500000000000002,
  0.8000000000000003, 0.8500000000000003, 0.9000000000000004, 0.9500000000000004,
];

/** Dice coefficient of two masks; two empty masks score whatever the competition says. */
export function dice(a: Runs, b: Runs, bothEmpty: number): number {
  return diceOfCounts(intersection(a, b), a.pixels, b.pixels, bothEmpty);
}

/** Dice coefficient of pixel counts, for scores that pool the pixels of many images first. */
export function diceOfCounts(shared: number, first: number, second: number, bothEmpty: number): number {
  return first + second === 0 ? bothEmpty : (2 * shared) / (first + second);
}

/**
 * Share of ten IoU thresholds a predicted mask exceeds. An empty prediction on an image with foreground counts as
 * a *full* mask of `size` pixels, as in the original.
 */
export function iouThresholdScore(truth: number, predicted: number, shared: number, size: number): number {
  if (truth === 0) return predicted === 0 ? 1 : 0;
  const iou = predicted === 0 ? truth / size : shared / (truth + predicted - shared);
  return THRESHOLDS.filter((threshold) => iou > threshold).length / 10;
}

/** F-score that weighs precision twice as much as recall, from pixel counts; two empty masks score 0, not 1. */
export function fHalf(shared: number, predicted: number, truth: number): number {
  const weighted = 0.25 * truth + predicted;
  return weighted === 0 ? 0 : (1.25 * shared) / weighted;
}
