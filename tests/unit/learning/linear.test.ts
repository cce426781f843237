import { describe, expect, test } from "vitest";
import { solveCholesky } from "../../../src/learning/algebra/cholesky.ts";
import { fitLabelSet, predictLabelSet } from "../../../src/learning/linear/label-set.ts";
import { predictLinear } from "../../../src/learning/linear/linear-model.ts";
import { fitLogistic, logisticObjective, predictLogistic } from "../../../src/learning/linear/logistic.ts";
import {
  fitNaiveBayesLinear,
  logCountRatios,
  predictNaiveBayesLinear,
} from "../../../src/learning/linear/naive-bayes.ts";
import { fitRidge } from "../../../src/learning/linear/ridge.ts";
import type { DenseMatrix, SparseMatrix } from "../../../src/learning/matrix.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { farthest, normalMatrix, numericGradient, targetOf } from "./made-data.ts";

function toSparse({ rows, columns, values }: DenseMatrix): SparseMatrix {
  const [starts, indices, kept] = [[0], [] as number[], [] as number[]];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column];
      if (value === 0) continue;
      indices.push(column);
      kept.push(value);
    }
    starts.push(indices.length);
  }
  return {
    rows,
    columns,
    starts: Uint32Array.from(starts),
    indices: Uint32Array.from(indices),
    values: Float64Array.from(kept),
  };
}

/** Normal numbers of which most are zero, far from centred. */
function thinMatrix(rows: number, columns: number, seed: number): DenseMatrix {
  const random = seededRandom(seed);
  const full = normalMatrix(rows, columns, seed);
  return { ...full, values: full.values.map((value) => (random() < 0.7 ? 0 : 1 + value)) };
}

describe("ridge", () => {
  test("solves the normal equations, with an intercept that goes free", () => {
    const matrix = normalMatrix(60, 5, 1);
    const target = targetOf(matrix, (a, b, _c, d) => 100 + 2 * a - b + 0.3 * d * d);
    const { weights, intercepts } = fitRidge(matrix, target, { l2: 3 });
    const parameters = Float64Array.of(...weights, ...intercepts);
    const cost = (x: Float64Array) =>
      target.reduce((sum, truth, row) => {
        let predicted = x[5];
        for (let j = 0; j < 5; j++) predicted += x[j] * matrix.values[row * 5 + j];
        return sum + (truth - predicted) ** 2;
      }, 0) +
      3 * x.subarray(0, 5).reduce((sum, weight) => sum + weight * weight, 0);
    expect(farthest(numericGradient(cost, parameters, 1e-4), new Float64Array(6))).toBeLessThan(1e-5);
  });

  test("gives the same for sparse as for dense data, and for each output as for that output alone", () => {
    const matrix = thinMatrix(80, 12, 2);
    const one = targetOf(matrix, (a, b) => a - b + 5);
    const two = targetOf(matrix, (_a, b, c) => b * c);
    const both = fitRidge(matrix, Float64Array.of(...one, ...two), { l2: 0.5 });
    const expected = Float64Array.of(
      ...predictLinear(fitRidge(matrix, one, { l2: 0.5 }), matrix),
      ...predictLinear(fitRidge(matrix, two, { l2: 0.5 }), matrix),
    );
    expect(farthest(predictLinear(both, matrix), expected)).toBeLessThan(1e-10);
    const sparse = toSparse(matrix);
    const fromSparse = fitRidge(sparse, Float64Array.of(...one, ...two), { l2: 0.5 });
    expect(farthest(predictLinear(fromSparse, sparse), expected)).toBeLessThan(1e-5);
  });

  test("does not fail on columns that depend on each other", () => {
    const matrix = { rows: 4, columns: 2, values: Float64Array.of(1, 2, 2, 4, 3, 6, 4, 8) };
    const model = fitRidge(matrix, Float64Array.of(1, 2, 3, 4), { l2: 0 });
    expect(farthest(predictLinear(model, matrix), [1, 2, 3, 4])).toBeLessThan(1e-6);
  });
});

describe("logistic regression", () => {
  test("ends where Newton's method ends", () => {
    const matrix = normalMatrix(300, 3, 5);
    const random = seededRandom(1);
    const target = targetOf(matrix, (a, b) => Number(1.5 * a - b + 0.4 > 2 * random() - 1));
    const { weights, intercepts } = fitLogistic(matrix, target, { classes: 2, l2: 2, tolerance: 1e-9 });
    expect(farthest([...weights, ...intercepts], newton(matrix, target, 2))).toBeLessThan(1e-6);
  });

  test.each([1, 4])("has the gradient that differences give (%i outputs)", (outputs) => {
    const matrix = thinMatrix(40, 3, 6);
    const target = Uint8Array.from({ length: 40 }, (_, row) => (row * 7) % Math.max(2, outputs));
    const parameters = normalMatrix(1, 4 * outputs, 3).values as Float64Array;
    for (const data of [matrix, toSparse(matrix)]) {
      const objective = logisticObjective(data, target, outputs, 0.7);
      const gradient = new Float64Array(parameters.length);
      objective(parameters, gradient);
      const numeric = numericGradient((x) => objective(x, new Float64Array(x.length)), parameters);
      expect(farthest(gradient, numeric)).toBeLessThan(1e-8);
    }
  });

  test("tells several classes apart, with probabilities that sum to one", () => {
    const matrix = normalMatrix(400, 2, 8);
    const target = targetOf(matrix, (a, b) => (a > 0.3 ? 2 : b > 0 ? 1 : 0));
    const model = fitLogistic(matrix, target, { classes: 3, l2: 0.01 });
    const predicted = predictLogistic(model, matrix);
    let right = 0;
    for (let row = 0; row < 400; row++) {
      const own = [0, 1, 2].map((k) => predicted[k * 400 + row]);
      expect(own[0] + own[1] + own[2]).toBeCloseTo(1, 12);
      if (own.indexOf(Math.max(...own)) === target[row]) right++;
    }
    expect(right).toBeGreaterThan(370);
  });

  test("stays finite on classes that a line parts perfectly", () => {
    const matrix = { rows: 4, columns: 1, values: Float64Array.of(-1000, -900, 900, 1000) };
    const model = fitLogistic(matrix, [0, 0, 1, 1], { classes: 2, l2: 1e-9 });
    for (const value of predictLogistic(model, matrix)) expect(Number.isFinite(value)).toBe(true);
  });
});

describe("the naive-Bayes-weighted linear model", () => {
  test("weighs a column by the logarithm of its smoothed shares", () => {
    const counts = toSparse({ rows: 3, columns: 2, values: Float64Array.of(2, 0, 1, 3, 0, 4) });
    const ratios = logCountRatios(counts, Uint8Array.of(1, 1, 0), 1);
    expect(ratios[0]).toBeCloseTo(Math.log(4 / 8 / (1 / 6)), 12);
    expect(ratios[1]).toBeCloseTo(Math.log(4 / 8 / (5 / 6)), 12);
  });

  test("learns which words belong to which class", () => {
    const random = seededRandom(4);
    const target = Uint8Array.from({ length: 300 }, () => Math.floor(random() * 3));
    const dense = { rows: 300, columns: 30, values: new Float64Array(9000) };
    for (const [row, label] of target.entries()) {
      for (let word = 0; word < 6; word++) {
        const column = random() < 0.6 ? label * 10 + Math.floor(random() * 10) : Math.floor(random() * 30);
        dense.values[row * 30 + column]++;
      }
    }
    const counts = toSparse(dense);
    const model = fitNaiveBayesLinear(counts, target, { classes: 3, l2: 1 });
    const predicted = predictNaiveBayesLinear(model, counts);
    const right = target.filter((label, row) => {
      const own = [0, 1, 2].map((k) => predicted[k * 300 + row]);
      return own.indexOf(Math.max(...own)) === label;
    });
    expect(right.length).toBeGreaterThan(280);
  });
});

test("a matrix that is not positive definite is refused", () => {
  expect(solveCholesky(Float64Array.of(1, 2, 2, 1), 2, Float64Array.of(1, 1))).toBe(false);
});

function newton(matrix: DenseMatrix, target: Float64Array, l2: number): number[] {
  const size = matrix.columns + 1;
  const x = new Float64Array(size);
  for (let step = 0; step < 30; step++) {
    const [hessian, gradient] = [new Float64Array(size * size), new Float64Array(size)];
    for (let row = 0; row < matrix.rows; row++) {
      const own = [...matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns), 1];
      const p = 1 / (1 + Math.exp(-own.reduce((sum, value, j) => sum + value * x[j], 0)));
      for (let i = 0; i < size; i++) {
        gradient[i] += (p - target[row]) * own[i];
        for (let j = 0; j < size; j++) hessian[i * size + j] += p * (1 - p) * own[i] * own[j];
      }
    }
    for (let i = 0; i < matrix.columns; i++) {
      gradient[i] += l2 * x[i];
      hessian[i * size + i] += l2;
    }
    solveCholesky(hessian, size, gradient);
    for (let i = 0; i < size; i++) x[i] -= gradient[i];
  }
  return [...x];
}

describe("logistic regression for many labels", () => {
  const rows = 60;
  const matrix = toSparse(thinMatrix(rows, 9, 21));
  const labels = 11;
  const random = seededRandom(4);
  const target = Float64Array.from({ length: rows * labels }, (_, i) =>
    Number(random() < 0.2 + 0.6 * ((i % rows) / rows)),
  );
  const options = { l2: 0.5, epochs: 300, seed: 1 };
  const model = fitLabelSet(matrix, target, options);

  test("ends where penalty and residuals are in balance, for every label and column", () => {
    const predicted = predictLabelSet(model, matrix);
    let farthestFromBalance = 0;
    for (let label = 0; label < labels; label++) {
      const pull = new Float64Array(matrix.columns);
      for (let row = 0; row < rows; row++)
        for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++)
          pull[matrix.indices[at]] +=
            matrix.values[at] * (target[label * rows + row] - predicted[label * rows + row]);
      for (let column = 0; column < matrix.columns; column++) {
        const weight = model.weights[column * model.width + label];
        farthestFromBalance = Math.max(farthestFromBalance, Math.abs(pull[column] - options.l2 * weight));
      }
    }
    expect(farthestFromBalance).toBeLessThan(2e-3);
  });

  test("gives the same bytes again, and what it had when it is told to stop", () => {
    expect(fitLabelSet(matrix, target, options)).toEqual(model);
    const untrained = fitLabelSet(matrix, target, { ...options, shouldStop: () => true });
    expect(predictLabelSet(untrained, matrix).every((chance) => chance === 0.5)).toBe(true);
  });

  test("a row without entries gets what the label has on average", () => {
    const empty = { ...matrix, rows: 1, starts: Uint32Array.of(0, 0), indices: new Uint32Array(0) };
    const chances = predictLabelSet(model, { ...empty, values: new Float64Array(0) });
    expect(chances).toHaveLength(labels);
    for (const chance of chances) expect(chance).toBeGreaterThan(0.05);
  });
});
