import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { boxMean, localDeviation, rankFilter, softMean, steepness } from "../../learners/pictures.ts";
import { farFromBorder, rareAtBorder, straightAcross, wayFromBorder } from "./planes.ts";

/** The shade that parts the pixels into two groups, each as even as can be. */
export function otsu({ pixels }: GrayImage): number {
  const counts = new Float64Array(256);
  for (const value of pixels) counts[Math.min(255, Math.max(0, Math.round(value)))]++;
  const sum = counts.reduce((total, count, level) => total + count * level, 0);
  let [best, most, below, belowSum] = [128, -1, 0, 0];
  for (let level = 0; level < 255; level++) {
    below += counts[level];
    belowSum += counts[level] * level;
    const above = pixels.length - below;
    if (below === 0 || above === 0) continue;
    const gap = belowSum / below - (sum - belowSum) / above;
    if (below * above * gap * gap > most) [best, most] = [level, below * above * gap * gap];
  }
  return best;
}

/** 1 for the pixels on the other side of a threshold than most of the upper and lower border. */
export function farSide({ width, height, pixels }: GrayImage, threshold: number): Float32Array {
  let brighter = 0;
  for (let x = 0; x < width; x++) {
    brighter += Number(pixels[x] > threshold) + Number(pixels[(height - 1) * width + x] > threshold);
  }
  const isBright = brighter > width;
  return Float32Array.from(pixels, (value) => Number(value > threshold !== isBright));
}

/** Numbers that need no learning: each says in its own way how unlike the background a pixel is. */
export const signs: Readonly<Record<string, (picture: GrayImage) => Float32Array>> = {
  "dark pixels": ({ pixels }) => Float32Array.from(pixels, (value) => -value),
  "bright pixels": ({ pixels }) => Float32Array.from(pixels),
  "far from the middle shade": ({ pixels }) => {
    const middle = Float32Array.from(pixels).sort()[pixels.length >> 1];
    return Float32Array.from(pixels, (value) => Math.abs(value - middle));
  },
  "far from the border's mean": farFromBorder,
  "rare at the border": (picture) => rareAtBorder(picture, 1),
  "rare at the border, softly": (picture) => rareAtBorder({ ...picture, pixels: boxMean(picture, 1) }, 2),
  "unlike the surroundings": (picture) => {
    const wide = boxMean(picture, 12);
    return boxMean(picture, 1).map((value, at) => Math.abs(value - wide[at]));
  },
  rough: (picture) => localDeviation(picture, 2),
  steep: (picture) =>
    softMean({ ...picture, pixels: steepness({ ...picture, pixels: boxMean(picture, 1) }) }, 2),
  "way from the border": (picture) => wayFromBorder({ ...picture, pixels: softMean(picture, 1) }, 2),
  "way from the border, median first": (picture) =>
    wayFromBorder({ ...picture, pixels: rankFilter(picture, 2, 0.5) }, 1),
  "unlike a straight way across": (picture) => {
    const soft = boxMean(picture, 1);
    const [rows, columns] = straightAcross(picture);
    return rows.map((value, at) => Math.min(Math.abs(value - soft[at]), Math.abs(columns[at] - soft[at])));
  },
};

/** Less towards the border, where drawings seldom are. */
export function centred({ width, height }: GrayImage, scores: Float32Array): Float32Array {
  const least = scores.reduce((low, score) => Math.min(low, score), Number.POSITIVE_INFINITY);
  return scores.map((score, at) => {
    const x = (2 * (at % width)) / (width - 1) - 1;
    const y = (2 * Math.floor(at / width)) / (height - 1) - 1;
    return (score - least) * Math.exp(-1.5 * (x ** 4 + y ** 4));
  });
}
