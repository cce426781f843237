import { createMultiply } from "../../algebra/multiply.ts";
import { type Random, randomNormal, seededRandom, shuffledOrder } from "../../seeded-random.ts";
import { createAdam } from "../adam.ts";
import { denseLayer } from "../dense-layer.ts";
import { dropoutLayer } from "../dropout-layer.ts";
import type { Parameters } from "../layer.ts";
import { gatedUnit } from "./gated-unit.ts";

/** A sequence of signs, and the label that each of them has; both are numbers from 0. */
export interface LabelledSequence {
  readonly signs: ArrayLike<number>;
  readonly labels: ArrayLike<number>;
}

export interface SequenceLabelsOptions {
  readonly signs: number;
  readonly labels: number;
  /** Of the state in each direction. */
  readonly size: number;
  readonly epochs: number;
  readonly batch?: number;
  readonly learningRate?: number;
  readonly dropout?: number;
  readonly seed: number;
  /** Asked before each batch; a training that is told to stop keeps what it has learned. */
  readonly shouldStop?: () => boolean;
}

/** For each sign the probability of each label, sign after sign. */
export type SequenceLabeller = (signs: ArrayLike<number>) => Float32Array;

const WEIGHT_DECAY = 1e-4;
const NEIGHBOURS = [-2, -1, 0, 1, 2];

/**
 * Reads sequences in both directions with gated recurrent units, and labels each sign from what came before and after.
 * Sequences of one length are learned together. The same seed gives the same bytes.
 */
export function fitSequenceLabels(
  sequences: readonly LabelledSequence[],
  options: SequenceLabelsOptions,
): SequenceLabeller {
  const { epochs, batch = 32, learningRate = 4e-3, shouldStop } = options;
  const random = seededRandom(options.seed);
  const network = buildNetwork(options, random);
  const step = createAdam(network.parameters, WEIGHT_DECAY);
  const perEpoch = batchesOf(sequences, batch, random).length;
  let steps = 0;
  for (let epoch = 0; epoch < epochs; epoch++)
    for (const chosen of batchesOf(sequences, batch, random)) {
      if (shouldStop?.()) return network.label;
      network.learn(chosen.map((i) => sequences[i]));
      step((learningRate * (1 + Math.cos((Math.PI * steps++) / (epochs * perEpoch)))) / 2);
    }
  return network.label;
}

/** Sequences of one length together, the batches in random order. */
function batchesOf(sequences: readonly LabelledSequence[], batch: number, random: Random): number[][] {
  const byLength = new Map<number, number[]>();
  for (const i of shuffledOrder(sequences.length, random)) {
    const { length } = sequences[i].signs;
    byLength.set(length, [...(byLength.get(length) ?? []), i]);
  }
  const all: number[][] = [];
  for (const [length, own] of [...byLength].sort(([a], [b]) => a - b))
    if (length > 0)
      for (let first = 0; first < own.length; first += batch) all.push(own.slice(first, first + batch));
  return Array.from(shuffledOrder(all.length, random), (i) => all[i]);
}

function buildNetwork({ signs, labels, size, dropout = 0.25 }: SequenceLabelsOptions, random: Random) {
  const multiply = createMultiply();
  const width = 3 * size;
  const units = [false, true].map((backwards) => ({
    tables: signTables(signs, width, random),
    unit: gatedUnit(size, backwards, multiply, random),
  }));
  const dropped = dropoutLayer(2 * size, dropout, random);
  const last = denseLayer(2 * size, labels, multiply, random);

  function forward(given: readonly ArrayLike<number>[], training: boolean): Float32Array {
    const [batch, { length }] = [given.length, given[0]];
    const both = new Float32Array(batch * length * 2 * size);
    for (const [direction, { tables, unit }] of units.entries()) {
      const states = unit.forward(tables.look(given), batch, length);
      for (let row = 0; row < batch * length; row++)
        both.set(states.subarray(row * size, (row + 1) * size), row * 2 * size + direction * size);
    }
    const rows = batch * length;
    const scores = last.forward(dropped.forward(both, rows, training), rows, training);
    for (let row = 0; row < rows; row++) softmax(scores, row * labels, labels);
    return scores;
  }

  return {
    parameters: [
      ...units.flatMap(({ tables, unit }) => [tables.parameter, ...unit.parameters]),
      ...last.parameters,
    ],
    /** Leaves the gradients of the mean loss over all signs. */
    learn(chosen: readonly LabelledSequence[]): void {
      const given = chosen.map((one) => one.signs);
      const [batch, { length }] = [given.length, given[0]];
      const rows = batch * length;
      const scores = forward(given, true);
      for (let t = 0; t < length; t++)
        for (let i = 0; i < batch; i++) {
          const row = (t * batch + i) * labels;
          scores[row + chosen[i].labels[t]] -= 1;
          for (let k = 0; k < labels; k++) scores[row + k] /= rows;
        }
      const both = dropped.backward(
        last.backward(scores, rows, true) as Float32Array,
        rows,
        true,
      ) as Float32Array;
      for (const [direction, { tables, unit }] of units.entries()) {
        const own = new Float32Array(rows * size);
        for (let row = 0; row < rows; row++) {
          const from = row * 2 * size + direction * size;
          own.set(both.subarray(from, from + size), row * size);
        }
        tables.learn(given, unit.backward(own, batch, length));
      }
    },
    label: (given: ArrayLike<number>): Float32Array =>
      given.length === 0 ? new Float32Array(0) : forward([given], false).slice(0, given.length * labels),
  };
}

/** What each sign, here and at the places around, brings to the gates: a table for each place, beyond the ends nothing. */
function signTables(signs: number, width: number, random: Random) {
  const size = signs * width;
  const values = Float32Array.from({ length: NEIGHBOURS.length * size }, () => 0.1 * randomNormal(random));
  const gradients = new Float32Array(values.length);
  const parameter: Parameters = { values, gradients, decays: true };
  let inputs = new Float32Array(0);
  const each = (given: readonly ArrayLike<number>[], visit: (row: number, table: number) => void) => {
    const [batch, { length }] = [given.length, given[0]];
    for (let t = 0; t < length; t++)
      for (const [place, offset] of NEIGHBOURS.entries()) {
        if (t + offset < 0 || t + offset >= length) continue;
        for (let i = 0; i < batch; i++)
          visit((t * batch + i) * width, place * size + given[i][t + offset] * width);
      }
  };
  return {
    parameter,
    look(given: readonly ArrayLike<number>[]): Float32Array {
      const count = given.length * given[0].length * width;
      if (inputs.length < count) inputs = new Float32Array(count);
      inputs.fill(0, 0, count);
      each(given, (row, table) => {
        for (let j = 0; j < width; j++) inputs[row + j] += values[table + j];
      });
      return inputs;
    },
    learn(given: readonly ArrayLike<number>[], byInputs: Float32Array): void {
      gradients.fill(0);
      each(given, (row, table) => {
        for (let j = 0; j < width; j++) gradients[table + j] += byInputs[row + j];
      });
    },
  };
}

function softmax(scores: Float32Array, at: number, count: number): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < count; k++) largest = Math.max(largest, scores[at + k]);
  let sum = 0;
  for (let k = 0; k < count; k++) {
    scores[at + k] = Math.exp(scores[at + k] - largest);
    sum += scores[at + k];
  }
  for (let k = 0; k < count; k++) scores[at + k] /= sum;
}
