import { describe, expect, test } from "vitest";
import { createMultiply } from "../../../src/learning/algebra/multiply.ts";
import { convolutionLayer } from "../../../src/learning/networks/convolution-layer.ts";
import { denseLayer } from "../../../src/learning/networks/dense-layer.ts";
import type { Layer } from "../../../src/learning/networks/layer.ts";
import { maxPoolLayer } from "../../../src/learning/networks/max-pool-layer.ts";
import { predictNetwork } from "../../../src/learning/networks/network.ts";
import { fitPerceptron } from "../../../src/learning/networks/perceptron.ts";
import { reluLayer } from "../../../src/learning/networks/relu-layer.ts";
import { fitConvolutional } from "../../../src/learning/networks/small-convolutional.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { farthest, normalMatrix, numericGradient, targetOf } from "./made-data.ts";

const BATCH = 3;
const shape = { height: 5, width: 4, channels: 2 };
const multiply = createMultiply();
const LAYERS: [string, number, () => Layer][] = [
  ["dense", 6, () => denseLayer(6, 5, multiply, seededRandom(1))],
  ["convolution", 40, () => convolutionLayer(shape, 3, multiply, seededRandom(2))],
  ["max pooling", 40, () => maxPoolLayer(shape)],
  ["relu", 7, () => reluLayer(7)],
];

describe.each(LAYERS)("the %s layer", (_name, inputs, create) => {
  test("has the gradients that differences give", () => {
    const layer = create();
    const input = Float32Array.from(normalMatrix(BATCH, inputs, 3).values);
    const pull = Float32Array.from(normalMatrix(BATCH, layer.outputs, 4).values);
    const value = (x: Float32Array) => {
      const output = layer.forward(x.slice(), BATCH, true);
      return pull.reduce((sum, weight, i) => sum + weight * output[i], 0);
    };
    value(input);
    const byInput = layer.backward(pull.slice(), BATCH, true)?.slice(0, BATCH * inputs) ?? [];
    const expected = numericGradient((x) => value(Float32Array.from(x)), Float64Array.from(input), 1e-2);
    expect(farthest(byInput, expected)).toBeLessThan(2e-3);
    for (const { values, gradients } of layer.parameters) {
      const found = gradients.slice();
      const start = Float64Array.from(values);
      const numeric = numericGradient(
        (x) => {
          values.set(x);
          return value(input);
        },
        start,
        1e-2,
      );
      values.set(start);
      expect(farthest(found, numeric)).toBeLessThan(5e-3);
    }
  });
});

test("a perceptron learns what no line can part, and twice the same", () => {
  const matrix = normalMatrix(800, 2, 5);
  const target = targetOf(matrix, (a, b) => Number(a * b > 0));
  const options = {
    loss: "log",
    outputs: 1,
    hidden: [16, 8],
    epochs: 40,
    learningRate: 0.01,
    seed: 3,
  } as const;
  const predicted = predictNetwork(fitPerceptron(matrix, target, options), matrix);
  expect(target.filter((truth, row) => predicted[row] > 0.5 === (truth === 1)).length).toBeGreaterThan(740);
  expect(predictNetwork(fitPerceptron(matrix, target, options), matrix)).toEqual(predicted);
});

test("a perceptron fits numbers", () => {
  const matrix = normalMatrix(600, 3, 6);
  const target = targetOf(matrix, (a, b, c) => a + b * c);
  const options = {
    loss: "squared",
    outputs: 1,
    hidden: [32],
    epochs: 60,
    learningRate: 0.01,
    seed: 1,
  } as const;
  const predicted = predictNetwork(fitPerceptron(matrix, target, options), matrix);
  const error = target.reduce((sum, truth, row) => sum + (truth - predicted[row]) ** 2, 0) / 600;
  expect(error).toBeLessThan(0.15);
});

test("a convolutional network finds a bar wherever it is", () => {
  const random = seededRandom(9);
  const images = { rows: 400, columns: 144, values: new Float32Array(400 * 144) };
  const target = Uint8Array.from({ length: 400 }, () => Math.floor(random() * 2));
  for (let row = 0; row < 400; row++) {
    const at = Math.floor(random() * 8) * 12 + Math.floor(random() * 8);
    for (let i = 0; i < 5; i++) images.values[row * 144 + at + (target[row] === 1 ? i : i * 12)] = 1;
  }
  const options = {
    loss: "softmax",
    outputs: 2,
    epochs: 8,
    learningRate: 0.005,
    filters: [8, 8],
    seed: 2,
  } as const;
  const network = fitConvolutional(images, target, {
    ...options,
    shape: { height: 12, width: 12, channels: 1 },
  });
  const predicted = predictNetwork(network, images);
  expect(target.filter((truth, row) => predicted[400 + row] > 0.5 === (truth === 1)).length).toBeGreaterThan(
    390,
  );
});
