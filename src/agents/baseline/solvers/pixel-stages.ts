import { binFeatures } from "../../../learning/boosting/bins.ts";
import { type BoostedTrees, fitBoosting, predictBoosting } from "../../../learning/boosting/boost.ts";
import { boostingSeconds } from "../../../learning/cost.ts";
import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { type Random, randomInteger, seededRandom } from "../../../learning/seeded-random.ts";
import { pixelFeatures } from "../features/pixels.ts";

export interface PixelTask {
  readonly images: readonly GrayImage[];
  /** A number for each pixel of each image. */
  readonly targets: readonly Float32Array[];
  readonly test: readonly GrayImage[];
  readonly loss: "squared" | "log";
  readonly seed: number;
}

/** A picture of predictions for each image; those of the training images by a model that had not seen them. */
export interface PixelPredictions {
  readonly stage: number;
  readonly outOfFold: readonly GrayImage[];
  readonly test: readonly GrayImage[];
}

export interface PixelPlan {
  readonly pixels: number;
  readonly trees: number;
  readonly stages: number;
  /** Every so many-th training image is used. */
  readonly step: number;
}

const HALVES = 2;
const COLUMNS = 90;
const NANO = 1e-9;
/** Nanoseconds to describe a pixel, and to send it down a tree. */
const PER_PIXEL = 1300;
const PER_TREE = 40;

/** How many pixels to learn from and how many trees to grow, from the sizes and the budget alone. */
export function planPixels({ images, test }: PixelTask, seconds: number): PixelPlan {
  const pixelsOf = (list: readonly GrayImage[]) =>
    list.reduce((sum, { width, height }) => sum + width * height, 0);
  const from = (stages: number, step: number): PixelPlan[] =>
    [200, 120, 80, 50, 30].flatMap((trees) =>
      [120_000, 60_000, 30_000, 15_000].map((pixels) => ({ trees, pixels, stages, step })),
    );
  const plans = [...from(2, 1), ...from(1, 1), ...from(1, 2), ...from(1, 4), ...from(1, 8)];
  const fits = ({ trees, pixels, stages: rounds, step }: PixelPlan) => {
    const fit = boostingSeconds({ rows: pixels, features: COLUMNS, trees, leaves: 31 });
    const predicted = pixelsOf(images) / step + HALVES * pixelsOf(test);
    const described = (2 * pixelsOf(images)) / step + pixelsOf(test);
    return rounds * (HALVES * fit + NANO * (PER_PIXEL * described + PER_TREE * trees * predicted)) <= seconds;
  };
  return plans.find(fits) ?? { trees: 20, pixels: 8000, stages: 1, step: 16 };
}

/** The images and targets that the plan uses. */
export function thinned(task: PixelTask, { step }: PixelPlan): PixelTask {
  const isKept = (_: unknown, i: number) => i % step === 0;
  return { ...task, images: task.images.filter(isKept), targets: task.targets.filter(isKept) };
}

/**
 * Learns a pixel from its surroundings; a second stage sees the first one's guesses of the surroundings too. Images
 * are parted in halves, and each half is predicted by the model of the other. Ends early when told to stop; a stage
 * that was cut is not handed out.
 */
export function* pixelStages(
  task: PixelTask,
  plan: PixelPlan,
  shouldStop: () => boolean,
): Generator<PixelPredictions> {
  const { images, test } = task;
  let layers = { train: images.map((image) => [image]), test: test.map((image) => [image]) };
  for (let stage = 0; stage < plan.stages; stage++) {
    const outOfFold: GrayImage[] = new Array(images.length);
    const means = test.map(({ width, height }) => ({
      width,
      height,
      pixels: new Float32Array(width * height),
    }));
    const models: BoostedTrees[] = [];
    for (let half = 0; half < HALVES; half++) {
      const known = images.map((_, i) => i).filter((i) => i % HALVES !== half);
      const seed = task.seed * 10 + stage * HALVES + half;
      models.push(fitPixels(task, layers.train, known, plan, seed, shouldStop));
    }
    for (const [i, own] of layers.train.entries()) {
      if (shouldStop()) return;
      [outOfFold[i]] = predictImage([models[i % HALVES]], own);
    }
    for (const [i, mean] of means.entries()) {
      if (shouldStop()) return;
      // Describing a pixel takes longer than predicting it: once for both models.
      for (const { pixels } of predictImage(models, layers.test[i]))
        for (let p = 0; p < pixels.length; p++) mean.pixels[p] += pixels[p] / HALVES;
    }
    yield { stage: stage + 1, outOfFold, test: means };
    layers = {
      train: images.map((image, i) => [image, outOfFold[i]]),
      test: test.map((image, i) => [image, means[i]]),
    };
  }
}

function fitPixels(
  { targets, loss }: PixelTask,
  layers: readonly (readonly GrayImage[])[],
  known: readonly number[],
  { pixels, trees }: PixelPlan,
  seed: number,
  shouldStop: () => boolean,
): BoostedTrees {
  const random: Random = seededRandom(seed);
  const perImage = Math.max(1, Math.floor(pixels / known.length));
  const rows = perImage * known.length;
  const target = new Float64Array(rows);
  let values = new Float32Array(0);
  let columns = 0;
  for (const [place, image] of known.entries()) {
    if (shouldStop()) break;
    const features = pixelFeatures(layers[image]);
    if (columns === 0) {
      columns = features.columns;
      values = new Float32Array(rows * columns);
    }
    for (let i = 0; i < perImage; i++) {
      const pixel = randomInteger(random, features.rows);
      const row = place * perImage + i;
      values.set(features.values.subarray(pixel * columns, (pixel + 1) * columns), row * columns);
      target[row] = targets[image][pixel];
    }
  }
  return fitBoosting(binFeatures({ rows, columns, values }), target, {
    loss,
    trees,
    learningRate: Math.min(0.2, 12 / trees),
    maxLeaves: 31,
    featureFraction: 0.5,
    seed,
    shouldStop,
  });
}

/** What each model makes of the image. */
function predictImage(models: readonly BoostedTrees[], layers: readonly GrayImage[]): GrayImage[] {
  const [{ width, height }] = layers;
  const features = pixelFeatures(layers);
  return models.map((model) => ({
    width,
    height,
    pixels: Float32Array.from(predictBoosting(model, features)),
  }));
}
