import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { predictLinear } from "../../../learning/linear/linear-model.ts";
import { fitRidge } from "../../../learning/linear/ridge.ts";
import { denseFromRows } from "../../../learning/matrix.ts";
import { boxMean, type Filter, rankFilter, softMean } from "../../learners/pictures.ts";
import type { Example, PixelModel } from "../../learners/pixel-models.ts";
import type { Draw } from "../../making/draw.ts";

/** One step of a filter and what it is called. */
interface Step {
  readonly name: string;
  readonly apply: Filter;
}

/** Several steps one after another. */
export function chain(steps: readonly Filter[]): Filter {
  return (picture) =>
    Float32Array.from(
      steps.reduce<GrayImage["pixels"]>((pixels, step) => step({ ...picture, pixels }), picture.pixels),
    );
}

export function drawDenoising(draw: Draw): Step {
  const radius = draw.whole(1, 2);
  return draw.pick<Step>([
    { name: `median ${radius}`, apply: (picture) => rankFilter(picture, radius, 0.5) },
    { name: `mean ${radius}`, apply: (picture) => boxMean(picture, radius) },
    { name: "soft mean 1", apply: (picture) => softMean(picture, 1) },
    { name: `likes within ${radius}`, apply: (picture) => meanOfLikes(picture, radius, 40) },
    { name: `likes within ${radius + 1}`, apply: (picture) => meanOfLikes(picture, radius + 1, 70) },
  ]);
}

/** The mean of the pixels around that differ little, so that edges stay. */
export function meanOfLikes(
  { width, height, pixels }: GrayImage,
  radius: number,
  scale: number,
): Float32Array {
  return Float32Array.from(pixels, (own, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    let [sum, weights] = [0, 0];
    for (let dy = Math.max(-radius, -y); dy <= Math.min(radius, height - 1 - y); dy++) {
      for (let dx = Math.max(-radius, -x); dx <= Math.min(radius, width - 1 - x); dx++) {
        const other = pixels[at + dy * width + dx];
        const unlike = (other - own) / scale;
        const weight = 1 / (1 + unlike * unlike * unlike * unlike);
        sum += weight * other;
        weights += weight;
      }
    }
    return sum / weights;
  });
}

export function drawBackground(draw: Draw): Step {
  const [radius, share, degree] = [draw.whole(3, 7), draw.pick([0.75, 0.9, 1]), draw.whole(1, 4)];
  const [name, background] = draw.pick<[string, Filter]>([
    [`the ${share} rank within ${radius}`, (picture) => rankFilter(picture, radius, share)],
    [
      `the soft ${share} rank within ${radius}`,
      (picture) => softMean({ ...picture, pixels: rankFilter(picture, radius, share) }, 2),
    ],
    [`a surface of degree ${degree}`, (picture) => surface(picture, degree)],
  ]);
  const isQuotient = draw.chance(0.5);
  return {
    name: `${isQuotient ? "divided by" : "less"} ${name}`,
    apply(picture) {
      const paper = background(picture);
      return paper.map((level, i) =>
        isQuotient ? (255 * picture.pixels[i]) / Math.max(level, 1) : 255 + picture.pixels[i] - level,
      );
    },
  };
}

/** A polynomial through the brighter half of the pixels, which are mostly paper. */
export function surface({ width, height, pixels }: GrayImage, degree: number): Float32Array {
  const terms = (at: number) => {
    const [x, y] = [(2 * (at % width)) / width - 1, (2 * Math.floor(at / width)) / height - 1];
    const row: number[] = [];
    for (let i = 0; i <= degree; i++) for (let j = 0; i + j <= degree; j++) row.push(x ** i * y ** j);
    return row.slice(1);
  };
  const middle = Float32Array.from(pixels).sort()[pixels.length >> 1];
  const bright = Array.from(pixels.keys()).filter((at) => pixels[at] >= middle);
  const model = fitRidge(
    denseFromRows(bright.map(terms)),
    Float64Array.from(bright, (at) => pixels[at]),
    { l2: 1 },
  );
  return Float32Array.from(predictLinear(model, denseFromRows(Array.from(pixels.keys(), terms))));
}

/** Takes some of the blur back. */
export function drawSharpening(draw: Draw): Step {
  const [radius, amount] = [draw.whole(1, 2), draw.pick([0.3, 0.6, 1])];
  return {
    name: `sharpened ${amount} of ${radius}`,
    apply: (picture) =>
      softMean(picture, radius).map((mean, i) => picture.pixels[i] + amount * (picture.pixels[i] - mean)),
  };
}

const LEVELS = 32;
/** Examples to learn the shades from. */
const ENOUGH = 50;

/**
 * A filter whose shades are put right afterwards: each becomes the mean of what the examples have there. Shades between
 * two levels lie between their means.
 */
export function toned(filter: Filter): PixelModel {
  return (examples) => {
    const [sums, counts] = [new Float64Array(LEVELS + 1), new Float64Array(LEVELS + 1)];
    for (const { picture, target } of examples.slice(0, ENOUGH)) {
      for (const [i, value] of filter(picture).entries()) {
        const level = Math.round(levelOf(value));
        sums[level] += target[i];
        counts[level]++;
      }
    }
    const means = sums.map((sum, level) => (sum + level / LEVELS) / (counts[level] + 1));
    return (picture) =>
      filter(picture).map((value) => {
        const at = levelOf(value);
        const low = Math.min(LEVELS - 1, Math.floor(at));
        return means[low] + (at - low) * (means[low + 1] - means[low]);
      });
  };
}

function levelOf(value: number): number {
  return Math.min(LEVELS, Math.max(0, (value / 255) * LEVELS));
}

/** A filter as it is. */
export function plain(filter: Filter): PixelModel {
  return () => (picture) => filter(picture).map((value) => value / 255);
}

/** The same for all pixels of all pictures. */
export function constant(value: (examples: readonly Example[]) => number): PixelModel {
  return (examples) => {
    const shade = value(examples);
    return ({ pixels }) => new Float32Array(pixels.length).fill(shade);
  };
}
