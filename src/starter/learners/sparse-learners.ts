import { predictLinear } from "../../learning/linear/linear-model.ts";
import { fitLogistic, predictLogistic } from "../../learning/linear/logistic.ts";
import {
  fitNaiveBayesLinear,
  logCountRatios,
  predictNaiveBayesLinear,
} from "../../learning/linear/naive-bayes.ts";
import { applyWeights } from "../../learning/linear/products.ts";
import { fitRidge } from "../../learning/linear/ridge.ts";
import type { SparseMatrix } from "../../learning/matrix.ts";
import type { Draw } from "../making/draw.ts";
import { asNumbers, eachLabel, type Learner, outputsOf, type Target } from "../making/method.ts";

type SparseLearner = Learner<SparseMatrix>;
/** Enough for predictions to settle; the last digits of a text model do not matter. */
const STEPS = 20;

function ridgeOnTexts(l2: number): SparseLearner {
  return {
    name: `ridge, l2 ${l2}`,
    family: "linear",
    predict: (train, target, asked) =>
      predictLinear(fitRidge(train, asNumbers(target), { l2, iterations: STEPS }), asked),
  };
}

function logisticOnTexts(l2: number): SparseLearner {
  return {
    name: `logistic regression, l2 ${l2}`,
    family: "linear",
    predict: (train, target, asked) =>
      byLabel(target, asked, ({ values }) =>
        predictLogistic(fitLogistic(train, values, { classes: 2, l2, iterations: STEPS }), asked),
      ),
  };
}

function bayesAndLogistic(l2: number, smoothing: number): SparseLearner {
  return {
    name: `logistic regression on naive Bayes ratios, l2 ${l2}, smoothing ${smoothing}`,
    family: "naive Bayes",
    predict: (train, target, asked) =>
      byLabel(target, asked, ({ values }) => {
        const model = fitNaiveBayesLinear(train, values, { classes: 2, l2, smoothing, iterations: STEPS });
        return predictNaiveBayesLinear(model, asked);
      }),
  };
}

/** The textbook kind. It is far too sure of itself, so `trust` below 1 softens what it says. */
function naiveBayes(smoothing: number, trust: number): SparseLearner {
  return {
    name: `naive Bayes, smoothing ${smoothing}, trust ${trust}`,
    family: "naive Bayes",
    predict: (train, target, asked) =>
      byLabel(target, asked, ({ values }) => {
        const isPositive = Uint8Array.from(values);
        const ratios = logCountRatios(train, isPositive, smoothing);
        const positives = isPositive.reduce((sum, value) => sum + value, 0);
        const prior = Math.log((positives + 1) / (values.length - positives + 1));
        const scores = new Float64Array(asked.rows);
        applyWeights(asked, ratios, 1, scores);
        return scores.map((score) => 1 / (1 + Math.exp(-prior - trust * score)));
      }),
  };
}

/** The texts with the most in common, found through a list of texts for each column. */
function similarTexts(k: number, power: number): SparseLearner {
  return {
    name: `${k} most similar texts, votes by similarity to the power ${power}`,
    family: "neighbours",
    predict(train, target, asked) {
      const numbers = asNumbers(target);
      const outputs = outputsOf(target);
      const similar = similaritySearch(train);
      const result = new Float64Array(outputs * asked.rows);
      for (let row = 0; row < asked.rows; row++) {
        const found = similar(asked, row, k);
        const total = found.reduce((sum, { similarity }) => sum + similarity ** power, 0);
        for (let output = 0; output < outputs; output++) {
          let sum = 0;
          for (const { position, similarity } of found)
            sum += similarity ** power * numbers[output * train.rows + position];
          result[output * asked.rows + row] = total > 0 ? sum / total : 0;
        }
      }
      return result;
    },
  };
}

function similaritySearch(known: SparseMatrix) {
  const lengths = rowLengths(known);
  const listStarts = new Uint32Array(known.columns + 1);
  for (const column of known.indices) listStarts[column + 1]++;
  for (let column = 0; column < known.columns; column++) listStarts[column + 1] += listStarts[column];
  const next = listStarts.slice();
  const rows = new Uint32Array(known.indices.length);
  const weights = new Float64Array(known.indices.length);
  for (let row = 0; row < known.rows; row++) {
    for (let at = known.starts[row]; at < known.starts[row + 1]; at++) {
      const place = next[known.indices[at]]++;
      rows[place] = row;
      weights[place] = known.values[at] / (lengths[row] || 1);
    }
  }
  const products = new Float64Array(known.rows);
  return (asked: SparseMatrix, row: number, k: number) => {
    products.fill(0);
    for (let at = asked.starts[row]; at < asked.starts[row + 1]; at++) {
      const column = asked.indices[at];
      for (let i = listStarts[column]; i < listStarts[column + 1]; i++)
        products[rows[i]] += asked.values[at] * weights[i];
    }
    const best: { position: number; similarity: number }[] = [];
    for (let position = 0; position < products.length; position++) {
      const similarity = products[position];
      if (similarity <= 0 || (best.length === k && similarity <= best[k - 1].similarity)) continue;
      let place = best.length;
      while (place > 0 && best[place - 1].similarity < similarity) place--;
      best.splice(place, 0, { position, similarity });
      if (best.length > k) best.pop();
    }
    return best;
  };
}

function rowLengths({ rows, starts, values }: SparseMatrix): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let square = 0;
    for (let at = starts[row]; at < starts[row + 1]; at++) square += values[at] ** 2;
    return Math.sqrt(square);
  });
}

function byLabel(target: Target, asked: SparseMatrix, predict: (own: Target) => Float64Array): Float64Array {
  return target.kind === "labels" ? eachLabel(target, asked.rows, predict) : predict(target);
}

export function drawTextLearner(draw: Draw, serious: boolean): SparseLearner {
  switch (draw.pick(["ridge", "logistic", "logistic", "ratios", "bayes", "neighbours"] as const)) {
    case "ridge":
      return ridgeOnTexts(draw.scale(serious ? 0.3 : 0.1, serious ? 10 : 100));
    case "logistic":
      return logisticOnTexts(draw.scale(serious ? 0.02 : 0.003, serious ? 1 : 30));
    case "ratios":
      return bayesAndLogistic(draw.scale(serious ? 0.1 : 0.02, serious ? 5 : 30), draw.pick([0.3, 1, 3]));
    case "bayes":
      return naiveBayes(draw.scale(0.01, 1), draw.pick(serious ? [0.3, 0.5] : [0.3, 0.5, 1]));
    case "neighbours":
      return similarTexts(
        draw.pick(serious ? [7, 10, 15, 20, 30] : [1, 2, 3, 5, 10, 20, 50]),
        draw.pick([0, 1, 2, 4]),
      );
  }
}
