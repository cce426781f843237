import type { Multiply } from "../../algebra/multiply.ts";
import { type Random, randomNormal } from "../../seeded-random.ts";
import type { Parameters } from "../layer.ts";

/**
 * A gated recurrent unit over batches of sequences of one length. What it reads at a moment are the gates' inputs
 * (update, reset, new state: `3 × size` for each sequence); what it gives is its state after each moment.
 */
export interface GatedUnit {
  readonly parameters: readonly Parameters[];
  /** Moment after moment, within a moment sequence after sequence. `backwards`: from the last moment to the first. */
  forward(inputs: Float32Array, batch: number, length: number): Float32Array;
  /** From the gradient of the states to that of the inputs; both belong to the unit. */
  backward(gradients: Float32Array, batch: number, length: number): Float32Array;
}

const GATES = 3;

export function gatedUnit(size: number, backwards: boolean, multiply: Multiply, random: Random): GatedUnit {
  const width = GATES * size;
  const scale = 1 / Math.sqrt(size);
  const weights = Float32Array.from({ length: size * width }, () => scale * randomNormal(random));
  const weightGradients = new Float32Array(weights.length);
  let states: Float32Array = new Float32Array(0);
  let gates = new Float32Array(0);
  /** What the state before, times the weights, gave the new state: the reset gate multiplies it. */
  let recalled = new Float32Array(0);
  let inputGradients = new Float32Array(0);
  let before = new Float32Array(0);
  const moments = (length: number) => Array.from({ length }, (_, t) => (backwards ? length - 1 - t : t));

  return {
    parameters: [{ values: weights, gradients: weightGradients, decays: true }],
    forward(inputs, batch, length) {
      const rows = batch * length;
      if (states.length < rows * size) {
        states = new Float32Array(rows * size);
        before = new Float32Array(rows * size);
        recalled = new Float32Array(rows * size);
        gates = new Float32Array(rows * width);
        inputGradients = new Float32Array(rows * width);
      }
      const product = new Float32Array(batch * width);
      let last: Float32Array = new Float32Array(batch * size);
      for (const t of moments(length)) {
        before.set(last, t * batch * size);
        multiply({ values: last }, { values: weights }, product, { m: batch, k: size, n: width });
        const own = states.subarray(t * batch * size, (t + 1) * batch * size);
        for (let i = 0; i < batch; i++) {
          const from = (t * batch + i) * width;
          for (let j = 0; j < size; j++) {
            const [at, state] = [i * width + j, i * size + j];
            const update = sigmoid(inputs[from + j] + product[at]);
            const reset = sigmoid(inputs[from + size + j] + product[at + size]);
            const fresh = Math.tanh(inputs[from + 2 * size + j] + reset * product[at + 2 * size]);
            gates[from + j] = update;
            gates[from + size + j] = reset;
            gates[from + 2 * size + j] = fresh;
            recalled[t * batch * size + state] = product[at + 2 * size];
            own[state] = (1 - update) * fresh + update * last[state];
          }
        }
        last = own;
      }
      return states;
    },
    backward(gradients, batch, length) {
      const rows = batch * length;
      const products = new Float32Array(rows * width);
      const carried = new Float32Array(batch * size);
      const back = new Float32Array(batch * size);
      for (const t of moments(length).reverse()) {
        for (let i = 0; i < batch; i++) {
          const from = (t * batch + i) * width;
          for (let j = 0; j < size; j++) {
            const [at, state] = [(t * batch + i) * size + j, i * size + j];
            const gradient = gradients[at] + carried[state];
            const [update, reset, fresh] = [
              gates[from + j],
              gates[from + size + j],
              gates[from + 2 * size + j],
            ];
            const byFresh = gradient * (1 - update) * (1 - fresh * fresh);
            const byReset = byFresh * recalled[at] * reset * (1 - reset);
            const byUpdate = gradient * (before[at] - fresh) * update * (1 - update);
            inputGradients[from + j] = byUpdate;
            inputGradients[from + size + j] = byReset;
            inputGradients[from + 2 * size + j] = byFresh;
            products[from + j] = byUpdate;
            products[from + size + j] = byReset;
            products[from + 2 * size + j] = byFresh * reset;
            carried[state] = gradient * update;
          }
        }
        const own = products.subarray(t * batch * width, (t + 1) * batch * width);
        multiply({ values: own }, { values: weights, transposed: true }, back, {
          m: batch,
          k: width,
          n: size,
        });
        for (let i = 0; i < carried.length; i++) carried[i] += back[i];
      }
      const a = { values: before, transposed: true };
      multiply(a, { values: products }, weightGradients, { m: size, k: rows, n: width });
      return inputGradients;
    },
  };
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
