import { binFeatures } from "../../learning/boosting/bins.ts";
import { fitBoosting, predictBoosting } from "../../learning/boosting/boost.ts";
import type { LossName } from "../../learning/boosting/losses.ts";
import { fitForest, predictForest } from "../../learning/forest/forest.ts";
import { fitKernelRidge, predictKernelRidge } from "../../learning/kernel/kernel-ridge.ts";
import { fitLabelSet, predictLabelSet } from "../../learning/linear/label-set.ts";
import { minimise } from "../../learning/linear/lbfgs.ts";
import { predictLinear } from "../../learning/linear/linear-model.ts";
import { logisticObjective, predictLogistic } from "../../learning/linear/logistic.ts";
import { logCountRatios, scaleColumns } from "../../learning/linear/naive-bayes.ts";
import { fitRidge } from "../../learning/linear/ridge.ts";
import { type DenseMatrix, type Matrix, type SparseMatrix, takeRows } from "../../learning/matrix.ts";
import { nearestNeighbours } from "../../learning/neighbours/nearest.ts";
import { neighbourMeans, neighbourShares } from "../../learning/neighbours/predict.ts";
import { predictNetwork } from "../../learning/networks/network.ts";
import { fitPerceptron } from "../../learning/networks/perceptron.ts";
import { fitPictureClasses } from "../../learning/networks/planes/picture-classes.ts";
import { frequentWords, type TextChoice, withTextColumns } from "./features/texts.ts";
import { addingUpToOne } from "./validation/decide.ts";
import { type Asked, chosenRows, type FoldView } from "./validation/fold-view.ts";

/** Predictions for the rows asked for, one output after another. */
export type Predictor = (asked: Asked) => Float64Array;

/** Learns from a fold's training rows. What was cut short is dropped by the caller. */
export type Learner = (view: FoldView, shouldStop: () => boolean) => Predictor;

/** What everybody gets who knows nothing of a row: the mean, or the shares of the classes. */
export const prior: Learner = eachOutput((view, target) => {
  let sum = 0;
  for (const row of view.train) sum += target[row];
  return (asked) => new Float64Array(asked.rows).fill(sum / view.train.length);
});

export function ridge(which: LinearInput, l2: number): Learner {
  return eachOutput((view, target) => {
    const model = fitRidge(knownRows(view, which), pick(target, view.train), { l2, iterations: 60 });
    return (asked) => predictLinear(model, askedRows(asked, which));
  });
}

export function logistic(which: LinearInput, l2: number, iterations: number): Learner {
  return eachQuestion((view, target, classes, shouldStop) => {
    const train = knownRows(view, which);
    const outputs = classes === 2 ? 1 : classes;
    const size = train.columns * outputs;
    const parameters = new Float64Array(size + outputs);
    const objective = logisticObjective(train, pick(target, view.train), outputs, l2);
    const stoppable = (x: Float64Array, gradient: Float64Array): number => {
      if (!shouldStop()) return objective(x, gradient);
      // A place this low and this flat ends the search at once.
      gradient.fill(0);
      return Number.NEGATIVE_INFINITY;
    };
    minimise(stoppable, parameters, { iterations });
    const model = { outputs, weights: parameters.slice(0, size), intercepts: parameters.slice(size) };
    return (asked) => predictLogistic(model, askedRows(asked, which));
  });
}

/** All labels, or each class against the others, in one go. */
export function labelSet(which: TextInput, l2: number, epochs: number): Learner {
  return (view, shouldStop) => {
    const { kind, classes, target, trainRows, outputs } = view.problem;
    const rows = view.train.length;
    const own = new Float32Array(outputs * rows);
    for (let output = 0; output < outputs; output++)
      for (let i = 0; i < rows; i++)
        own[output * rows + i] =
          kind === "classes" && classes > 2
            ? Number(target[view.train[i]] === output)
            : target[output * trainRows + view.train[i]];
    const train = knownRows(view, which) as SparseMatrix;
    const model = fitLabelSet(train, own, { l2, epochs, seed: view.seed, shouldStop });
    return (asked) => {
      const chances = predictLabelSet(model, asked.texts(which.texts));
      return kind === "classes" && classes > 2 ? addingUpToOne(chances, outputs) : chances;
    };
  };
}

/** Two classes only: columns are weighted by how much more frequent they are in one of them. */
export function naiveBayes(which: TextInput, l2: number, epochs: number): Learner {
  return eachQuestion((view, target, _, shouldStop) => {
    const train = knownRows(view, which) as SparseMatrix;
    const own = pick(target, view.train);
    const ratios = logCountRatios(train, Uint8Array.from(own), 0.1);
    const model = fitLabelSet(scaleColumns(train, ratios), own, { l2, epochs, seed: view.seed, shouldStop });
    return (asked) => predictLabelSet(model, scaleColumns(asked.texts(which.texts), ratios));
  });
}

export function neighbours(k: number, distance: "euclidean" | "cosine"): Learner {
  return (view) => {
    const known = takeRows(view.features.linear(), view.train) as DenseMatrix;
    return (asked) => {
      // The search is the same for all questions.
      const found = nearestNeighbours(known, asked.linear(), { k, distance });
      const answer = eachQuestion((_, target, classes) => () => {
        const own = pick(target, view.train);
        return classes > 0
          ? secondOfTwo(neighbourShares(found, own, classes, "inverse-distance"), classes)
          : neighbourMeans(found, own, "inverse-distance");
      });
      return answer(view, () => false)(asked);
    };
  };
}

/** A Gaussian kernel over the scaled columns; of more rows than it can hold it learns from some, evenly spread. */
export function kernelRidge(l2: number, reach: number, mostRows: number): Learner {
  return (view, shouldStop) => {
    const { kind, classes, target, trainRows, outputs } = view.problem;
    const step = Math.max(1, Math.ceil(view.train.length / mostRows));
    const rows = view.train.filter((_, i) => i % step === 0);
    const own = new Float64Array(outputs * rows.length);
    for (let output = 0; output < outputs; output++)
      for (let i = 0; i < rows.length; i++)
        own[output * rows.length + i] =
          kind === "classes" && classes > 2
            ? Number(target[rows[i]] === output)
            : target[output * trainRows + rows[i]];
    const known = takeRows(view.features.linear(), rows) as DenseMatrix;
    const model = fitKernelRidge(known, own, { l2, reach, shouldStop });
    return (asked) => {
      const made = predictKernelRidge(model, asked.linear());
      if (kind === "number") return made;
      const chances = made.map((value) => Math.min(1 - MIN_CHANCE, Math.max(MIN_CHANCE, value)));
      return kind === "classes" && classes > 2 ? addingUpToOne(chances, outputs) : chances;
    };
  };
}

/** A regression on 0 and 1 may leave that range, and is never that sure. */
const MIN_CHANCE = 0.005;

export function forest(kind: "random" | "extra", trees: number): Learner {
  return eachQuestion((view, values, classes, shouldStop) => {
    const target =
      classes > 0 ? ({ kind: "class", values, classes } as const) : ({ kind: "number", values } as const);
    const model = fitForest(view.binned(), target, {
      trees,
      kind,
      seed: view.seed,
      rows: view.train,
      shouldStop,
    });
    return (asked) => secondOfTwo(predictForest(model, asked.trees()), classes);
  });
}

export interface BoostingSettings {
  readonly trees: number;
  readonly learningRate: number;
  readonly maxLeaves: number;
  readonly featureFraction: number;
  readonly absolute?: boolean;
}

export function boosting({ absolute, ...settings }: BoostingSettings): Learner {
  return eachQuestion((view, target, classes, shouldStop) => {
    const model = fitBoosting(view.binned(), padded(target, view.features.rows), {
      loss: boostingLoss(classes, absolute),
      classes: Math.max(2, classes),
      ...settings,
      rowFraction: 0.8,
      minSamplesLeaf: 10,
      l2: 1,
      seed: view.seed,
      rows: view.train,
      shouldStop,
    });
    return (asked) => predictBoosting(model, asked.trees());
  });
}

function boostingLoss(classes: number, absolute = false): LossName {
  return classes > 2 ? "softmax" : classes === 2 ? "log" : absolute ? "absolute" : "squared";
}

/** A word occurs a few times or not at all. */
export const WORD_BINS = 63;

/** Trees that see the most frequent words too. */
export function wordBoosting({ absolute, ...settings }: BoostingSettings): Learner {
  return eachQuestion((view, target, classes, shouldStop) => {
    const { features } = view;
    if (features.texts === null) throw new Error("trees on words were planned without texts");
    const words = frequentWords(features.texts);
    const known = withTextColumns(features.numbers, features.texts, words);
    const model = fitBoosting(binFeatures(known, { maxBins: WORD_BINS }), padded(target, features.rows), {
      loss: boostingLoss(classes, absolute),
      classes: Math.max(2, classes),
      ...settings,
      rowFraction: 0.8,
      minSamplesLeaf: 5,
      l2: 1,
      seed: view.seed,
      rows: view.train,
      shouldStop,
    });
    return (asked) => predictBoosting(model, asked.withWords(words));
  });
}

export function perceptron(hidden: readonly number[], epochs: number): Learner {
  return eachQuestion((view, target, classes, shouldStop) => {
    const own = pick(target, view.train);
    const scale = classes > 0 ? { mean: 0, deviation: 1 } : scaleOf(own);
    const network = fitPerceptron(
      takeRows(view.features.linear(), view.train) as DenseMatrix,
      own.map((value) => (value - scale.mean) / scale.deviation),
      {
        loss: lossOf(classes),
        outputs: classes > 2 ? classes : 1,
        hidden,
        dropout: 0.3,
        epochs,
        learningRate: 2e-3,
        seed: view.seed,
        shouldStop,
      },
    );
    return (asked) =>
      predictNetwork(network, asked.linear()).map((value) => value * scale.deviation + scale.mean);
  });
}

/** Only where there are pictures. */
export function convolutional(filters: readonly number[], epochs: number): Learner {
  return eachQuestion((view, target, classes, shouldStop) => {
    const pictures = view.features.pictures;
    if (pictures === null) throw new Error("a convolutional network was planned without pictures");
    const { shape, pixels } = pictures;
    const own = pick(target, view.train);
    const scale = classes > 0 ? { mean: 0, deviation: 1 } : scaleOf(own);
    const predict = fitPictureClasses(
      takeRows(pixels, view.train) as DenseMatrix,
      own.map((value) => (value - scale.mean) / scale.deviation),
      {
        ...shape,
        loss: lossOf(classes),
        outputs: classes > 2 ? classes : 1,
        filters,
        hidden: Math.max(64, classes),
        epochs,
        seed: view.seed,
        shouldStop,
      },
    );
    return (asked) => predict(asked.pixels()).map((value) => value * scale.deviation + scale.mean);
  });
}

type Question = (
  view: FoldView,
  target: Float64Array,
  classes: number,
  shouldStop: () => boolean,
) => Predictor;

/** Asks once for classes and once for each of several labels (two classes) or numbers (`classes` 0). */
function eachQuestion(answer: Question): Learner {
  return (view, shouldStop) => {
    const { kind, classes, target, trainRows, outputs } = view.problem;
    if (kind === "classes") return answer(view, target, classes, shouldStop);
    const models: Predictor[] = [];
    for (let output = 0; output < outputs && !shouldStop(); output++) {
      const own = target.subarray(output * trainRows, (output + 1) * trainRows);
      const only = own[view.train[0]];
      models.push(
        isConstant(own, view.train)
          ? ({ rows }) => new Float64Array(rows).fill(only)
          : answer(view, own, kind === "labels" ? 2 : 0, shouldStop),
      );
    }
    return oneAfterAnother(models);
  };
}

/** Asks for the mean of one column of numbers after another; classes of many become a column each. */
function eachOutput(answer: (view: FoldView, target: Float64Array) => Predictor): Learner {
  return (view, shouldStop) => {
    const { kind, classes, target, trainRows, outputs } = view.problem;
    const models: Predictor[] = [];
    for (let output = 0; output < outputs && !shouldStop(); output++) {
      const own =
        kind === "classes" && classes > 2
          ? target.map((label) => Number(label === output))
          : target.subarray(output * trainRows, (output + 1) * trainRows);
      models.push(answer(view, own));
    }
    return oneAfterAnother(models);
  };
}

function oneAfterAnother(models: readonly Predictor[]): Predictor {
  return (asked) => {
    const result = new Float64Array(models.length * asked.rows);
    for (const [output, predict] of models.entries()) result.set(predict(asked), output * asked.rows);
    return result;
  };
}

/** The texts that a model looks at. */
export interface TextInput {
  readonly texts: TextChoice;
}

/** What a linear model looks at: the scaled columns, or texts. */
export type LinearInput = "linear" | TextInput;

function knownRows({ features, train }: FoldView, which: LinearInput): Matrix {
  if (which === "linear") return takeRows(features.linear(), train);
  if (features.texts === null) throw new Error("a model of texts was planned without texts");
  return chosenRows(features.texts, train, which.texts);
}

function askedRows(asked: Asked, which: LinearInput): Matrix {
  return which === "linear" ? asked.linear() : asked.texts(which.texts);
}

function pick(values: Float64Array, rows: Int32Array): Float64Array {
  return Float64Array.from(rows, (row) => values[row]);
}

/** Boosting wants a target for every row of the matrix, also for those it does not learn from. */
function padded(values: Float64Array, rows: number): Float64Array {
  const all = new Float64Array(rows);
  all.set(values);
  return all;
}

function secondOfTwo(predicted: Float64Array, classes: number): Float64Array {
  return classes === 2 ? predicted.slice(predicted.length / 2) : predicted;
}

function isConstant(values: Float64Array, rows: Int32Array): boolean {
  return rows.every((row) => values[row] === values[rows[0]]);
}

function lossOf(classes: number): "softmax" | "log" | "squared" {
  return classes > 2 ? "softmax" : classes === 2 ? "log" : "squared";
}

function scaleOf(values: Float64Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}
