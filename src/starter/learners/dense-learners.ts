import { binFeatures } from "../../learning/boosting/bins.ts";
import { type BoostingOptions, fitBoosting, predictBoosting } from "../../learning/boosting/boost.ts";
import { measureScaling, standardise } from "../../learning/features/standardise.ts";
import { type ForestOptions, fitForest, predictForest } from "../../learning/forest/forest.ts";
import { predictLinear } from "../../learning/linear/linear-model.ts";
import { fitLogistic, predictLogistic } from "../../learning/linear/logistic.ts";
import { fitRidge } from "../../learning/linear/ridge.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import { nearestNeighbours } from "../../learning/neighbours/nearest.ts";
import { type NeighbourWeight, neighbourMeans } from "../../learning/neighbours/predict.ts";
import { predictNetwork } from "../../learning/networks/network.ts";
import { fitPerceptron } from "../../learning/networks/perceptron.ts";
import { asNumbers, eachLabel, type Learner, outputsOf, type Target } from "../making/method.ts";

type DenseLearner = Learner<DenseMatrix>;

/** Far outside what was seen a linear model goes astray. */
const FARTHEST = 6;

export function ridge(l2: number): DenseLearner {
  return {
    name: `ridge, l2 ${l2}`,
    family: "linear",
    predict(train, target, asked) {
      const [known, queries] = scaled(train, asked);
      return predictLinear(fitRidge(known, asNumbers(target), { l2 }), queries);
    },
  };
}

export function logistic(l2: number, iterations = 60): DenseLearner {
  return {
    name: `logistic regression, l2 ${l2}`,
    family: "linear",
    predict(train, target, asked) {
      const [known, queries] = scaled(train, asked);
      const predict = (own: Target) => {
        const classes = own.kind === "binary" ? 2 : outputsOf(own);
        return predictLogistic(fitLogistic(known, own.values, { classes, l2, iterations }), queries);
      };
      return target.kind === "labels" ? eachLabel(target, asked.rows, predict) : predict(target);
    },
  };
}

/** Neighbours vote with the outputs they have, whatever kind these are. */
export function neighbours(
  k: number,
  weight: NeighbourWeight,
  distance: "euclidean" | "cosine" = "euclidean",
): DenseLearner {
  return {
    name: `${k} ${distance} neighbours, ${weight === "equal" ? "equal votes" : "near ones count more"}`,
    family: "neighbours",
    predict(train, target, asked) {
      const [known, queries] = scaled(train, asked);
      const found = nearestNeighbours(known, queries, { k, distance });
      const numbers = asNumbers(target);
      const result = new Float64Array(outputsOf(target) * asked.rows);
      for (let output = 0; output < outputsOf(target); output++) {
        const own = numbers.subarray(output * train.rows, (output + 1) * train.rows);
        result.set(neighbourMeans(found, own, weight), output * asked.rows);
      }
      return result;
    },
  };
}

/** Each class a normal distribution in every column, the columns taken for independent. */
export function gaussianBayes(smoothing: number): DenseLearner {
  return {
    name: `Gaussian naive Bayes, smoothing ${smoothing}`,
    family: "naive Bayes",
    predict(train, target, asked) {
      const [known, queries] = scaled(train, asked);
      const classes = target.kind === "binary" ? 2 : outputsOf(target);
      const scores = new Float64Array(classes * asked.rows);
      for (let label = 0; label < classes; label++) {
        const { share, means, variances } = momentsOf(known, target.values, label, smoothing);
        for (let row = 0; row < asked.rows; row++) {
          let score = Math.log(share);
          for (let j = 0; j < known.columns; j++) {
            const distance = queries.values[row * known.columns + j] - means[j];
            score -= (Math.log(variances[j]) + distance ** 2 / variances[j]) / 2;
          }
          scores[label * asked.rows + row] = score;
        }
      }
      const shares = softmaxed(scores, classes);
      return target.kind === "binary" ? shares.slice(asked.rows) : shares;
    },
  };
}

export function forest(options: Omit<ForestOptions, "rows">): DenseLearner {
  const { trees, kind, minSamplesLeaf = 1, maxDepth, featureShare } = options;
  const what = trees === 1 ? "one tree" : `${trees} ${kind === "extra" ? "extra" : "forest"} trees`;
  const limits = [
    ...(maxDepth ? [`depth ${maxDepth}`] : []),
    ...(featureShare ? [`${Math.round(100 * featureShare)} % of the columns a split`] : []),
  ];
  return {
    name: [what, `leaves of ${minSamplesLeaf}`, ...limits].join(", "),
    family: trees === 1 ? "tree" : "forest",
    predict(train, target, asked) {
      const binned = binFeatures(train);
      if (target.kind === "number")
        return predictForest(fitForest(binned, { kind: "number", values: target.values }, options), asked);
      const classes = target.kind === "binary" ? 2 : outputsOf(target);
      const fitted = fitForest(binned, { kind: "class", values: target.values, classes }, options);
      const shares = predictForest(fitted, asked);
      return target.kind === "binary" ? shares.slice(asked.rows) : shares;
    },
  };
}

export function boosting(
  options: Omit<BoostingOptions, "loss"> & { loss?: "squared" | "absolute" },
): DenseLearner {
  const { trees = 100, learningRate = 0.1, maxLeaves = 31, minSamplesLeaf = 20 } = options;
  const shares = [
    ...(options.rowFraction ? [`${Math.round(100 * options.rowFraction)} % of the rows a tree`] : []),
    ...(options.featureFraction
      ? [`${Math.round(100 * options.featureFraction)} % of the columns a tree`]
      : []),
    ...(options.loss === "absolute" ? ["absolute loss"] : []),
  ];
  const size = `${trees} boosted trees of ${maxLeaves} leaves (at least ${minSamplesLeaf} rows), rate ${learningRate}`;
  return {
    name: [size, ...shares].join(", "),
    family: "boosting",
    predict(train, target, asked) {
      const binned = binFeatures(train);
      const predict = (own: Target) => {
        const loss = (
          { binary: "log", classes: "softmax", labels: "log", number: options.loss ?? "squared" } as const
        )[own.kind];
        const classes = outputsOf(own);
        return predictBoosting(fitBoosting(binned, own.values, { ...options, loss, classes }), asked);
      };
      return target.kind === "labels" ? eachLabel(target, asked.rows, predict) : predict(target);
    },
  };
}

export interface NetworkSettings {
  readonly hidden: readonly number[];
  readonly epochs: number;
  readonly learningRate: number;
  readonly dropout: number;
  readonly seed: number;
}

export function perceptron(settings: NetworkSettings): DenseLearner {
  const { hidden, epochs, learningRate, dropout } = settings;
  return {
    name: `network ${hidden.join("-")}, ${epochs} epochs, rate ${learningRate}, dropout ${dropout}`,
    family: "network",
    predict(train, target, asked) {
      const [known, queries] = scaled(train, asked);
      const loss = ({ number: "squared", binary: "log", labels: "log", classes: "softmax" } as const)[
        target.kind
      ];
      const { mean, deviation } = target.kind === "number" ? momentsOfNumbers(target.values) : PLAIN;
      const values = target.values.map((value) => (value - mean) / deviation);
      const fitted = fitPerceptron(known, values, { ...settings, loss, outputs: outputsOf(target) });
      return predictNetwork(fitted, queries).map((value) => value * deviation + mean);
    },
  };
}

const PLAIN = { mean: 0, deviation: 1 };

function momentsOfNumbers(values: Float64Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) || 1 };
}

/** Both matrices by what the first one has: mean 0, deviation 1, nothing missing. */
function scaled(train: DenseMatrix, asked: DenseMatrix): [DenseMatrix, DenseMatrix] {
  const scaling = measureScaling(train);
  return [standardise(train, scaling, FARTHEST), standardise(asked, scaling, FARTHEST)];
}

function momentsOf(matrix: DenseMatrix, labels: Float64Array, label: number, smoothing: number) {
  const { rows, columns, values } = matrix;
  const means = new Float64Array(columns);
  const variances = new Float64Array(columns);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    if (labels[row] !== label) continue;
    count++;
    for (let j = 0; j < columns; j++) means[j] += values[row * columns + j];
  }
  for (let j = 0; j < columns; j++) means[j] /= Math.max(1, count);
  for (let row = 0; row < rows; row++) {
    if (labels[row] !== label) continue;
    for (let j = 0; j < columns; j++) variances[j] += (values[row * columns + j] - means[j]) ** 2;
  }
  for (let j = 0; j < columns; j++) variances[j] = variances[j] / Math.max(1, count) + smoothing;
  return { share: (count + 1) / (rows + 1), means, variances };
}

/** Scores of each row, one class after another, to shares. */
function softmaxed(scores: Float64Array, classes: number): Float64Array {
  const rows = scores.length / classes;
  const shares = new Float64Array(scores.length);
  for (let row = 0; row < rows; row++) {
    let largest = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) largest = Math.max(largest, scores[k * rows + row]);
    let sum = 0;
    for (let k = 0; k < classes; k++) sum += Math.exp(scores[k * rows + row] - largest);
    for (let k = 0; k < classes; k++)
      shares[k * rows + row] = Math.exp(scores[k * rows + row] - largest) / sum;
  }
  return shares;
}
