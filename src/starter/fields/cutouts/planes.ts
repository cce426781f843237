import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { boxMean, localDeviation, rankFilter, softMean, steepness } from "../../learners/pictures.ts";
import type { Planes } from "../../learners/pixel-models.ts";

const BAND = 3;
const LEVELS = 32;
const SWEEPS = 4;

/** The pixels of the outermost rows and columns: background, nearly always. */
function borderPixels({ width, height }: GrayImage): number[] {
  return Array.from({ length: width * height }, (_, at) => at).filter((at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return Math.min(x, y, width - 1 - x, height - 1 - y) < BAND;
  });
}

/** How rare each shade is at the border: large where a pixel is unlike the background. */
export function rareAtBorder(picture: GrayImage, spread: number): Float32Array {
  const counts = new Float64Array(LEVELS).fill(0.3);
  const border = borderPixels(picture);
  for (const at of border) {
    const level = levelOf(picture.pixels[at]);
    for (let shift = -spread; shift <= spread; shift++) {
      const other = level + shift;
      if (other >= 0 && other < LEVELS) counts[other] += 1 / (1 + Math.abs(shift));
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return Float32Array.from(picture.pixels, (value) => -Math.log(counts[levelOf(value)] / total));
}

function levelOf(value: number): number {
  return Math.min(LEVELS - 1, Math.max(0, Math.floor((value / 256) * LEVELS)));
}

/** How many deviations a pixel is away from the mean of the border. */
export function farFromBorder(picture: GrayImage): Float32Array {
  const border = borderPixels(picture).map((at) => picture.pixels[at]);
  const mean = border.reduce((sum, value) => sum + value, 0) / border.length;
  const square = border.reduce((sum, value) => sum + (value - mean) ** 2, 0) / border.length;
  return Float32Array.from(picture.pixels, (value) => Math.abs(value - mean) / Math.sqrt(square + 1));
}

/** What the background would be if it went straight from each side to the other: by rows and by columns. */
export function straightAcross({ width, height, pixels }: GrayImage): [Float32Array, Float32Array] {
  const between = (size: number, from: (i: number) => number, at: number) => {
    let [low, high] = [0, 0];
    for (let i = 0; i < BAND; i++) {
      low += from(i) / BAND;
      high += from(size - 1 - i) / BAND;
    }
    return low + ((high - low) * at) / (size - 1);
  };
  const rows = new Float32Array(pixels.length);
  const columns = new Float32Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * width + x] = between(width, (i) => pixels[y * width + i], x);
      columns[y * width + x] = between(height, (i) => pixels[i * width + x], y);
    }
  }
  return [rows, columns];
}

/**
 * How much the brightness must change on the easiest way from the border to each pixel: small all over an open
 * background, large behind an edge. Found by sweeping back and forth.
 */
export function wayFromBorder({ width, height, pixels }: GrayImage, step: number): Float32Array {
  const cost = new Float32Array(pixels.length).fill(Number.POSITIVE_INFINITY);
  for (let x = 0; x < width; x++) cost[x] = cost[(height - 1) * width + x] = 0;
  for (let y = 0; y < height; y++) cost[y * width] = cost[(y + 1) * width - 1] = 0;
  const relax = (at: number, other: number) => {
    const way = cost[other] + Math.max(0, Math.abs(pixels[at] - pixels[other]) - step);
    if (way < cost[at]) cost[at] = way;
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forwards = sweep % 2 === 0;
    for (let i = width + 1; i < pixels.length - width - 1; i++) {
      const at = forwards ? i : pixels.length - 1 - i;
      relax(at, at - 1);
      relax(at, at + 1);
      relax(at, at - width);
      relax(at, at + width);
    }
  }
  return cost;
}

/** Groups of features of a pixel. */
export const features: Readonly<Record<string, Planes>> = {
  shade: ({ pixels }) => [Float32Array.from(pixels)],
  means: (picture) => [1, 2, 4, 8].map((radius) => boxMean(picture, radius)),
  roughness: (picture) => [1, 2, 4].map((radius) => localDeviation(picture, radius)),
  median: (picture) => [rankFilter(picture, 1, 0.5)],
  steepness: (picture) => [
    steepness(picture),
    boxMean({ ...picture, pixels: steepness({ ...picture, pixels: boxMean(picture, 1) }) }, 2),
  ],
  place: ({ width, height, pixels }) => [
    Float32Array.from(pixels, (_, at) => at % width),
    Float32Array.from(pixels, (_, at) => Math.floor(at / width)),
    Float32Array.from(pixels, (_, at) =>
      Math.hypot((at % width) - width / 2, Math.floor(at / width) - height / 2),
    ),
  ],
  "border shades": (picture) => {
    const rare = rareAtBorder(picture, 1);
    const soft = { ...picture, pixels: boxMean(picture, 1) };
    return [rare, boxMean({ ...picture, pixels: rare }, 2), rareAtBorder(soft, 2), farFromBorder(soft)];
  },
  "straight across": (picture) => {
    const soft = boxMean(picture, 1);
    return straightAcross(picture).map((plane) => plane.map((value, at) => Math.abs(value - soft[at])));
  },
  "way from the border": (picture) => {
    const soft = { ...picture, pixels: softMean(picture, 1) };
    return [wayFromBorder(soft, 0), wayFromBorder(soft, 3)];
  },
};
