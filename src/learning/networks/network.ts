import type { DenseMatrix } from "../matrix.ts";
import { type Random, shuffledOrder } from "../seeded-random.ts";
import { createAdam } from "./adam.ts";
import type { Layer } from "./layer.ts";

/** `log`: the target is 0 or 1; `softmax`: a class number; `squared`: any numbers, outputs one after another. */
export type NetworkLoss = "squared" | "log" | "softmax";

export interface Network {
  readonly loss: NetworkLoss;
  readonly layers: readonly Layer[];
}

export interface TrainingOptions {
  readonly epochs: number;
  readonly batch?: number;
  /** At the start; it falls along half a cosine to zero. */
  readonly learningRate?: number;
  readonly weightDecay?: number;
  /** Asked before each batch; a training that is told to stop keeps what it has learned. */
  readonly shouldStop?: () => boolean;
}

const PREDICTION_BATCH = 256;

/** Trains in place. Inputs should be scaled to about one; missing values are not allowed. False if it was cut. */
export function trainNetwork(
  network: Network,
  inputs: DenseMatrix,
  target: ArrayLike<number>,
  options: TrainingOptions,
  random: Random,
): boolean {
  const { epochs, batch = 64, learningRate = 1e-3, weightDecay = 1e-4 } = options;
  const step = createAdam(
    network.layers.flatMap(({ parameters }) => parameters),
    weightDecay,
  );
  const outputs = network.layers.at(-1)?.outputs ?? 0;
  const allSteps = epochs * Math.ceil(inputs.rows / batch);
  let steps = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffledOrder(inputs.rows, random);
    for (let from = 0; from < order.length; from += batch) {
      if (options.shouldStop?.()) return false;
      const rows = order.subarray(from, from + batch);
      const scores = forward(network, gatherRows(inputs, rows), rows.length, true);
      toGradient(network.loss, scores, outputs, rows, target, inputs.rows);
      backward(network, scores, rows.length);
      step((learningRate * (1 + Math.cos((Math.PI * steps++) / allSteps))) / 2);
    }
  }
  return true;
}

/** Predictions (probabilities for `log` and `softmax`), one output after another. */
export function predictNetwork(network: Network, inputs: DenseMatrix): Float64Array {
  const outputs = network.layers.at(-1)?.outputs ?? 0;
  const result = new Float64Array(inputs.rows * outputs);
  for (let from = 0; from < inputs.rows; from += PREDICTION_BATCH) {
    const count = Math.min(PREDICTION_BATCH, inputs.rows - from);
    const rows = Int32Array.from({ length: count }, (_, i) => from + i);
    const scores = forward(network, gatherRows(inputs, rows), count, false);
    link(network.loss, scores, outputs, count);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < outputs; k++) result[k * inputs.rows + from + i] = scores[i * outputs + k];
    }
  }
  return result;
}

function forward({ layers }: Network, input: Float32Array, batch: number, training: boolean): Float32Array {
  return layers.reduce((values, layer) => layer.forward(values, batch, training), input);
}

function backward({ layers }: Network, gradient: Float32Array, batch: number): void {
  let current: Float32Array | null = gradient;
  for (let i = layers.length - 1; i >= 0 && current; i--) current = layers[i].backward(current, batch, i > 0);
}

function gatherRows({ columns, values }: DenseMatrix, rows: Int32Array): Float32Array {
  const gathered = new Float32Array(rows.length * columns);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * columns;
    for (let j = 0; j < columns; j++) gathered[i * columns + j] = values[from + j];
  }
  return gathered;
}

/** Scores to predictions, in place. */
export function link(loss: NetworkLoss, scores: Float32Array, outputs: number, batch: number): void {
  if (loss === "squared") return;
  if (loss === "log") {
    for (let i = 0; i < batch * outputs; i++) scores[i] = 1 / (1 + Math.exp(-scores[i]));
    return;
  }
  for (let i = 0; i < batch; i++) {
    const own = scores.subarray(i * outputs, (i + 1) * outputs);
    const largest = own.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
    let sum = 0;
    for (let k = 0; k < outputs; k++) {
      own[k] = Math.exp(own[k] - largest);
      sum += own[k];
    }
    for (let k = 0; k < outputs; k++) own[k] /= sum;
  }
}

/** Scores to the gradient of the mean loss by them, in place: for all three losses prediction less truth. */
export function toGradient(
  loss: NetworkLoss,
  scores: Float32Array,
  outputs: number,
  rows: Int32Array,
  target: ArrayLike<number>,
  allRows: number,
): void {
  link(loss, scores, outputs, rows.length);
  for (let i = 0; i < rows.length; i++) {
    for (let k = 0; k < outputs; k++) {
      const truth = loss === "softmax" ? Number(target[rows[i]] === k) : target[k * allRows + rows[i]];
      scores[i * outputs + k] = (scores[i * outputs + k] - truth) / rows.length;
    }
  }
}
