import { describe, expect, test } from "vitest";
import { binFeatures } from "../../../src/learning/boosting/bins.ts";
import { fitBoosting, predictBoosting } from "../../../src/learning/boosting/boost.ts";
import { type LossName, losses } from "../../../src/learning/boosting/losses.ts";
import { seededRandom, shuffledOrder } from "../../../src/learning/seeded-random.ts";
import { rocAuc } from "../../../src/metrics/classification/roc-auc.ts";
import { farthest, normalMatrix, numericGradient, targetOf } from "./made-data.ts";

const TARGETS: Record<LossName, Float64Array> = {
  squared: Float64Array.of(1, -2, 0.5, 3),
  absolute: Float64Array.of(1, -2, 0.5, 3),
  log: Float64Array.of(1, 0, 0, 1),
  softmax: Float64Array.of(2, 0, 1, 2),
  poisson: Float64Array.of(3, 0, 1, 7),
};

describe.each(Object.keys(losses) as LossName[])("the %s loss", (name) => {
  const loss = losses[name];
  const target = TARGETS[name];
  const outputs = name === "softmax" ? 3 : 1;

  test("has the gradient and hessian that differences of its value give", () => {
    const raw = normalMatrix(1, 4 * outputs, 9).values as Float64Array;
    const predicted = raw.slice();
    loss.link(predicted, outputs);
    const gradient = new Float64Array(4);
    const hessian = new Float64Array(4).fill(1);
    const factor = name === "squared" ? 2 : 1;
    const numeric = numericGradient((x) => 4 * loss.value(target, x), raw);
    for (let output = 0; output < outputs; output++) {
      loss.gradients(target, predicted, output, gradient, hessian);
      const own = numeric.subarray(output * 4, output * 4 + 4);
      expect(
        farthest(
          gradient.map((value) => factor * value),
          own,
        ),
      ).toBeLessThan(1e-6);
      if (name === "absolute") continue;
      const curvature = hessian.map((_, row) => {
        const slope = (x: Float64Array) =>
          numericGradient((y) => 4 * loss.value(target, y), x)[output * 4 + row];
        const [above, below] = [raw.slice(), raw.slice()];
        above[output * 4 + row] += 1e-3;
        below[output * 4 + row] -= 1e-3;
        return (slope(above) - slope(below)) / 2e-3;
      });
      expect(
        farthest(
          hessian.map((value) => factor * value),
          curvature,
        ),
      ).toBeLessThan(1e-4);
    }
  });

  test("starts at the best constant", () => {
    const start = loss.start(target, null, outputs);
    const raw = Float64Array.from({ length: 4 * outputs }, (_, i) => start[Math.floor(i / 4)]);
    const best = loss.value(target, raw);
    for (const shift of [-0.1, 0.1]) {
      for (let output = 0; output < outputs; output++) {
        const moved = raw.map((value, i) => (Math.floor(i / 4) === output ? value + shift : value));
        expect(loss.value(target, moved)).toBeGreaterThanOrEqual(best - 1e-12);
      }
    }
  });

  test("falls from iteration to iteration on the rows learned from", () => {
    const matrix = normalMatrix(300, 3, 6);
    const learned = targetOf(matrix, (a, b, c) => {
      if (name === "log") return Number(a + b > 0);
      if (name === "softmax") return a > 0 ? (b > 0 ? 2 : 1) : 0;
      return name === "poisson" ? Math.round(Math.exp(a)) : a * b + c;
    });
    const rows = Int32Array.from(learned, (_, row) => row);
    const options = { loss: name, classes: 3, trees: 30, rows, validation: rows, patience: 30 };
    const { validationLosses } = fitBoosting(binFeatures(matrix), learned, options);
    for (let i = 1; i < 30; i++) expect(validationLosses[i]).toBeLessThan(validationLosses[i - 1]);
  });
});

test("a shuffled target leaves chance on rows not learned from", () => {
  const matrix = normalMatrix(4000, 6, 11);
  const order = shuffledOrder(4000, seededRandom(1));
  const honest = targetOf(matrix, (a, b) => Number(a + b > 0));
  const shuffled = Float64Array.from(order, (row) => honest[row]);
  const half = Int32Array.from({ length: 2000 }, (_, i) => i);
  const auc = (target: Float64Array) => {
    const model = fitBoosting(binFeatures(matrix), target, { loss: "log", trees: 50, rows: half });
    return rocAuc(target.slice(2000), predictBoosting(model, matrix).slice(2000)) ?? 0;
  };
  expect(Math.abs(auc(shuffled) - 0.5)).toBeLessThan(0.05);
  expect(auc(honest)).toBeGreaterThan(0.97);
});

test("probabilities of a softmax sum to one", () => {
  const matrix = normalMatrix(200, 2, 3);
  const target = targetOf(matrix, (a) => (a > 0.5 ? 2 : a > -0.5 ? 1 : 0));
  const model = fitBoosting(binFeatures(matrix), target, { loss: "softmax", classes: 3, trees: 10 });
  const predicted = predictBoosting(model, matrix);
  for (let row = 0; row < 200; row++) {
    expect(predicted[row] + predicted[200 + row] + predicted[400 + row]).toBeCloseTo(1, 12);
  }
});
