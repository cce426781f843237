import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { boxMean } from "../../learners/pictures.ts";
import type { Example } from "../../learners/pixel-models.ts";
import type { Draw } from "../../making/draw.ts";
import { close, dropSmall, fillHoles, type Mask, open, overlap } from "./masks.ts";

/** Gives each pixel of a picture a number: the larger, the more it looks like the drawing. */
export type Scorer = (picture: GrayImage) => Float32Array;

/** How numbers become a mask. */
export interface Finishing {
  /** The numbers are averaged over this radius. */
  readonly smooth: number;
  readonly opened: number;
  readonly closed: number;
  readonly filled: boolean;
  /** Groups of pixels smaller than this share of the largest are dropped. */
  readonly least: number;
}

export function drawFinishing(draw: Draw): { finishing: Finishing; name: string } {
  const finishing = {
    smooth: draw.pick([0, 0, 1, 2]),
    opened: draw.pick([0, 0, 1]),
    closed: draw.pick([0, 0, 1, 2]),
    filled: draw.chance(0.5),
    least: draw.pick([0, 0, 0.1, 0.3, 1]),
  };
  const { smooth, opened, closed, filled, least } = finishing;
  const parts = [
    ...(smooth > 0 ? [`smoothed ${smooth}`] : []),
    ...(opened > 0 ? [`opened ${opened}`] : []),
    ...(closed > 0 ? [`closed ${closed}`] : []),
    ...(filled ? ["filled"] : []),
    ...(least > 0 ? [`parts from ${least}`] : []),
  ];
  return { finishing, name: parts.join(", ") || "as it is" };
}

/** The mask of all pixels from a threshold on. Without any, the likeliest pixel alone: an empty mask scores nothing. */
export function maskFrom(picture: GrayImage, scores: Float32Array, threshold: number, how: Finishing): Mask {
  const smooth = boxMean({ ...picture, pixels: scores }, how.smooth);
  let mask: Mask = {
    width: picture.width,
    height: picture.height,
    set: Uint8Array.from(smooth, (score) => Number(score >= threshold)),
  };
  if (how.opened > 0) mask = open(mask, how.opened);
  if (how.closed > 0) mask = close(mask, how.closed);
  if (how.filled) mask = fillHoles(mask);
  if (how.least > 0) mask = dropSmall(mask, how.least);
  if (!mask.set.includes(1)) mask.set[smooth.indexOf(Math.max(...smooth))] = 1;
  return mask;
}

const TRIED = 14;

/** The threshold with the best mean overlap on these examples, among quantiles of their scores. */
export function bestThreshold(examples: readonly Example[], scorer: Scorer, how: Finishing): number {
  const scored = examples.map(({ picture, target }) => ({ picture, target, scores: scorer(picture) }));
  const sorted = Float32Array.from(scored.flatMap(({ scores }) => [...scores])).sort();
  const candidates = Array.from(
    { length: TRIED },
    (_, i) => sorted[Math.floor(((i + 1) / (TRIED + 1)) * sorted.length)],
  );
  const values = candidates.map((threshold) =>
    scored.reduce(
      (sum, { picture, target, scores }) =>
        sum + overlap(maskFrom(picture, scores, threshold, how).set, target),
      0,
    ),
  );
  return candidates[values.indexOf(Math.max(...values))];
}
