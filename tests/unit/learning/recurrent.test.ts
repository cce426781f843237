import { describe, expect, test } from "vitest";
import { createMultiply } from "../../../src/learning/algebra/multiply.ts";
import { gatedUnit } from "../../../src/learning/networks/recurrent/gated-unit.ts";
import { fitSequenceLabels } from "../../../src/learning/networks/recurrent/sequence-labels.ts";
import { randomInteger, seededRandom } from "../../../src/learning/seeded-random.ts";
import { farthest, normalMatrix, numericGradient } from "./made-data.ts";

describe.each([false, true])("a gated unit, backwards %s", (backwards) => {
  test("has the gradients that differences give", () => {
    const [batch, length, size] = [2, 4, 3];
    const unit = gatedUnit(size, backwards, createMultiply(), seededRandom(1));
    const inputs = Float32Array.from(normalMatrix(length, batch * 3 * size, 2).values);
    const pull = Float32Array.from(normalMatrix(length, batch * size, 3).values);
    const value = (x: Float32Array) => {
      const states = unit.forward(x, batch, length);
      return pull.reduce((sum, weight, i) => sum + weight * states[i], 0);
    };
    value(inputs);
    const byInputs = unit.backward(pull, batch, length).slice(0, inputs.length);
    const [{ values, gradients }] = unit.parameters;
    const byWeights = gradients.slice();
    const numeric = numericGradient((x) => value(Float32Array.from(x)), Float64Array.from(inputs), 1e-2);
    expect(farthest(byInputs, numeric)).toBeLessThan(2e-3);
    const start = Float64Array.from(values);
    const numericWeights = numericGradient(
      (x) => {
        values.set(x);
        return value(inputs);
      },
      start,
      1e-2,
    );
    expect(farthest(byWeights, numericWeights)).toBeLessThan(5e-3);
  });
});

test("labels that depend on a sign and on the last one of all are learned, and twice the same", () => {
  const random = seededRandom(5);
  const sequences = Array.from({ length: 400 }, () => {
    const signs = Array.from({ length: 4 + randomInteger(random, 4) }, () => randomInteger(random, 4));
    const end = signs.at(-1) ?? 0;
    return { signs, labels: signs.map((sign) => (end < 2 ? sign : 3 - sign)) };
  });
  const options = { signs: 4, labels: 4, size: 16, epochs: 25, learningRate: 0.01, dropout: 0, seed: 1 };
  const label = fitSequenceLabels(sequences.slice(100), options);
  let [right, all] = [0, 0];
  for (const { signs, labels } of sequences.slice(0, 100)) {
    const chances = label(signs);
    for (const [t, truth] of labels.entries()) {
      const own = chances.subarray(4 * t, 4 * t + 4);
      expect(own.reduce((sum, chance) => sum + chance)).toBeCloseTo(1, 4);
      right += Number(own.indexOf(Math.max(...own)) === truth);
      all++;
    }
  }
  expect(right / all).toBeGreaterThan(0.85);
  expect(fitSequenceLabels(sequences.slice(100), options)([0, 1, 2, 3])).toEqual(label([0, 1, 2, 3]));
  expect(label([])).toHaveLength(0);
});
