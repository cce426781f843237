import type { Multiply } from "../algebra/multiply.ts";
import { type Random, randomNormal } from "../seeded-random.ts";
import { atLeast, type Layer } from "./layer.ts";

/** Every output sees every input; weights start as He proposed for ReLU. */
export function denseLayer(inputs: number, outputs: number, multiply: Multiply, random: Random): Layer {
  const scale = Math.sqrt(2 / inputs);
  const weights = Float32Array.from({ length: inputs * outputs }, () => scale * randomNormal(random));
  const weightGradients = new Float32Array(weights.length);
  const biases = new Float32Array(outputs);
  const biasGradients = new Float32Array(outputs);
  let input: Float32Array = new Float32Array(0);
  let output: Float32Array = new Float32Array(0);
  let inputGradient: Float32Array = new Float32Array(0);
  return {
    outputs,
    parameters: [
      { values: weights, gradients: weightGradients, decays: true },
      { values: biases, gradients: biasGradients, decays: false },
    ],
    forward(given, batch) {
      input = given;
      output = atLeast(output, batch * outputs);
      multiply({ values: input }, { values: weights }, output, { m: batch, k: inputs, n: outputs });
      addBiases(output, biases, batch);
      return output;
    },
    backward(gradient, batch, wantsInput) {
      const a = { values: input, transposed: true };
      multiply(a, { values: gradient }, weightGradients, { m: inputs, k: batch, n: outputs });
      sumRows(gradient, biasGradients, batch);
      if (!wantsInput) return null;
      inputGradient = atLeast(inputGradient, batch * inputs);
      const b = { values: weights, transposed: true };
      multiply({ values: gradient }, b, inputGradient, { m: batch, k: outputs, n: inputs });
      return inputGradient;
    },
  };
}

/** Adds the biases to each of the rows. */
export function addBiases(values: Float32Array, biases: Float32Array, rows: number): void {
  const count = biases.length;
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < count; j++) values[row * count + j] += biases[j];
  }
}

/** The sum of the rows. */
export function sumRows(values: Float32Array, sums: Float32Array, rows: number): void {
  sums.fill(0);
  const count = sums.length;
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < count; j++) sums[j] += values[row * count + j];
  }
}
