import { binFeatures } from "../../learning/boosting/bins.ts";
import { fitBoosting, predictBoosting } from "../../learning/boosting/boost.ts";
import type { GrayImage } from "../../learning/features/gray-image.ts";
import { measureScaling, standardise } from "../../learning/features/standardise.ts";
import { fitForest, predictForest } from "../../learning/forest/forest.ts";
import { predictLinear } from "../../learning/linear/linear-model.ts";
import { fitLogistic, predictLogistic } from "../../learning/linear/logistic.ts";
import { fitRidge } from "../../learning/linear/ridge.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import { nearestNeighbours } from "../../learning/neighbours/nearest.ts";
import { neighbourMeans } from "../../learning/neighbours/predict.ts";
import { predictNetwork } from "../../learning/networks/network.ts";
import { fitPerceptron } from "../../learning/networks/perceptron.ts";
import { randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import type { Draw } from "../making/draw.ts";

/** A picture and what is wanted of each of its pixels, between 0 and 1. */
export interface Example {
  readonly picture: GrayImage;
  readonly target: Float32Array;
}

/** What is known of each pixel: one array for each feature. */
export type Planes = (picture: GrayImage) => readonly Float32Array[];

/** From examples to a number for each pixel of a new picture. */
export type PixelModel = (examples: readonly Example[]) => (picture: GrayImage) => Float32Array;

type Learner = (matrix: DenseMatrix, target: Float64Array) => (matrix: DenseMatrix) => Float64Array;

/** Learns pixel by pixel, from some pixels of each example. */
export function pixelModel(
  planes: Planes,
  learner: Learner,
  sample: { readonly pixels: number; readonly seed: number },
): PixelModel {
  return (examples) => {
    const random = seededRandom(sample.seed);
    const each = Math.ceil(sample.pixels / examples.length);
    const target = new Float64Array(each * examples.length);
    let values = new Float32Array(0);
    let columns = 0;
    for (const [i, { picture, target: wanted }] of examples.entries()) {
      const own = planes(picture);
      if (i === 0) {
        columns = own.length;
        values = new Float32Array(target.length * columns);
      }
      for (const [j, pixel] of randomSubset(wanted.length, each, random).entries()) {
        const row = i * each + j;
        target[row] = wanted[pixel];
        for (let k = 0; k < columns; k++) values[row * columns + k] = own[k][pixel];
      }
    }
    const predict = learner({ rows: target.length, columns, values }, target);
    return (picture) => Float32Array.from(predict(sideBySide(planes(picture))));
  };
}

function sideBySide(planes: readonly Float32Array[]): DenseMatrix {
  const rows = planes[0].length;
  const values = new Float32Array(rows * planes.length);
  for (const [k, plane] of planes.entries()) {
    for (let row = 0; row < rows; row++) values[row * planes.length + k] = plane[row];
  }
  return { rows, columns: planes.length, values };
}

/** A learner with settings at random, for targets that are shares or yes and no. */
export interface DrawnLearner {
  readonly name: string;
  readonly family: string;
  readonly pixels: number;
  readonly learner: Learner;
}

export const learners = { linear, boosted, forest, neighbours, network } as const;

function linear(draw: Draw, kind: "share" | "yes or no"): DrawnLearner {
  const [l2, pixels] = [draw.scale(0.01, 100), draw.whole(6000, 20000)];
  const isLogistic = kind === "yes or no" && draw.chance(0.7);
  const fit: Learner = isLogistic
    ? (matrix, target) => {
        const model = fitLogistic(matrix, target, { classes: 2, l2, iterations: 60 });
        return (rows) => predictLogistic(model, rows);
      }
    : (matrix, target) => {
        const model = fitRidge(matrix, target, { l2 });
        return (rows) => predictLinear(model, rows);
      };
  return {
    name: `${isLogistic ? "logistic" : "ridge"} ${l2}, ${pixels} pixels`,
    family: "linear",
    pixels,
    learner: onScaled(fit),
  };
}

/** Columns brought to one scale by what is learned from. */
function onScaled(learner: Learner): Learner {
  return (matrix, target) => {
    const scaling = measureScaling(matrix);
    const predict = learner(standardise(matrix, scaling), target);
    return (rows) => predict(standardise(rows, scaling, 8));
  };
}

function boosted(draw: Draw, kind: "share" | "yes or no"): DrawnLearner {
  const options = {
    loss: kind === "share" ? ("squared" as const) : ("log" as const),
    trees: draw.whole(20, 90),
    learningRate: draw.scale(0.05, 0.3),
    maxLeaves: draw.whole(4, 31),
    minSamplesLeaf: draw.whole(10, 60),
    featureFraction: draw.pick([0.4, 0.7, 1]),
    seed: draw.whole(1, 999),
  };
  const pixels = draw.whole(8000, 30000);
  return {
    name: `${options.trees} boosted trees of ${options.maxLeaves} leaves, rate ${options.learningRate}, ${pixels} pixels`,
    family: "boosting",
    pixels,
    learner(matrix, target) {
      const model = fitBoosting(binFeatures(matrix), target, options);
      return (rows) => predictBoosting(model, rows);
    },
  };
}

function forest(draw: Draw): DrawnLearner {
  const options = {
    kind: draw.pick(["random", "extra"] as const),
    trees: draw.whole(3, 16),
    minSamplesLeaf: draw.whole(3, 25),
    featureShare: draw.pick([0.2, 0.4]),
    seed: draw.whole(1, 999),
  };
  const pixels = draw.whole(4000, 14000);
  return {
    name: `${options.kind} forest of ${options.trees}, leaves from ${options.minSamplesLeaf}, ${pixels} pixels`,
    family: "trees",
    pixels,
    learner(matrix, values) {
      const model = fitForest(binFeatures(matrix), { kind: "number", values }, options);
      return (rows) => predictForest(model, rows);
    },
  };
}

function neighbours(draw: Draw): DrawnLearner {
  const [k, pixels] = [draw.whole(3, 20), draw.whole(300, 700)];
  return {
    name: `${k} nearest of ${pixels} pixels`,
    family: "neighbours",
    pixels,
    learner: onScaled((matrix, target) => (rows) => {
      const found = nearestNeighbours(matrix, rows, { k, distance: "euclidean" });
      return neighbourMeans(found, target, "equal");
    }),
  };
}

function network(draw: Draw, kind: "share" | "yes or no"): DrawnLearner {
  const options = {
    loss: kind === "share" ? ("squared" as const) : ("log" as const),
    outputs: 1,
    hidden: draw.pick([[12], [16], [24], [16, 8]]),
    epochs: draw.whole(2, 5),
    learningRate: draw.scale(0.002, 0.01),
    seed: draw.whole(1, 999),
  };
  const pixels = draw.whole(10000, 25000);
  return {
    name: `network ${options.hidden.join("-")}, ${options.epochs} epochs, ${pixels} pixels`,
    family: "network",
    pixels,
    learner: onScaled((matrix, target) => {
      const model = fitPerceptron(matrix, target, options);
      return (rows) => predictNetwork(model, rows);
    }),
  };
}
