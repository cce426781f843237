import { describe, expect, test } from "vitest";
import { binFeatures } from "../../../src/learning/boosting/bins.ts";
import {
  type BoostingOptions,
  fitBoosting,
  predictBinned,
  predictBoosting,
} from "../../../src/learning/boosting/boost.ts";
import { type DenseMatrix, denseFromRows } from "../../../src/learning/matrix.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { farthest, normalMatrix, targetOf } from "./made-data.ts";

const STUMP: BoostingOptions = {
  loss: "squared",
  trees: 1,
  maxLeaves: 2,
  learningRate: 1,
  minSamplesLeaf: 1,
};

/** The least sum of squares that any cut of any feature leaves, missing values on either side. */
function bestByExhaustion(matrix: DenseMatrix, target: Float64Array, minSamples: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let feature = 0; feature < matrix.columns; feature++) {
    const column = targetOf(matrix, (...values) => values[feature]);
    for (const cut of [...column, Number.POSITIVE_INFINITY]) {
      for (const missingLeft of [true, false]) {
        const isLeft = [...column].map((value) => (Number.isNaN(value) ? missingLeft : value <= cut));
        const sides = [true, false].map((side) => [...target].filter((_, row) => isLeft[row] === side));
        if (sides.some((side) => side.length < minSamples)) continue;
        best = Math.min(
          best,
          sides.reduce((sum, side) => sum + squaresAround(side), 0),
        );
      }
    }
  }
  return best;
}

function squaresAround(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

function squaresLeft(prediction: Float64Array, target: Float64Array): number {
  return target.reduce((sum, value, row) => sum + (value - prediction[row]) ** 2, 0);
}

describe("one split", () => {
  test.each([1, 2, 3, 4, 5, 6])("is the best of all cuts of all features (seed %i)", (seed) => {
    const matrix = normalMatrix(120, 4, seed);
    const target = targetOf(matrix, (a, b, c) => Math.sin(a) + b * c);
    const model = fitBoosting(binFeatures(matrix), target, { ...STUMP, minSamplesLeaf: 7 });
    const left = squaresLeft(predictBoosting(model, matrix), target);
    expect(left).toBeCloseTo(bestByExhaustion(matrix, target, 7), 6);
  });

  test.each([1, 2, 3, 4])("sends missing values to the better side (seed %i)", (seed) => {
    const random = seededRandom(seed);
    const full = normalMatrix(150, 2, seed);
    const target = targetOf(full, (a, b) => a - b + (seed % 2 === 0 ? 3 : -3) * Number(a > 1));
    const matrix = { ...full, values: full.values.map((value) => (random() < 0.3 ? Number.NaN : value)) };
    const model = fitBoosting(binFeatures(matrix), target, STUMP);
    const left = squaresLeft(predictBoosting(model, matrix), target);
    expect(left).toBeCloseTo(bestByExhaustion(matrix, target, 1), 6);
  });

  test("of a categorical feature is the best of all subsets", () => {
    const random = seededRandom(3);
    const rows = Array.from({ length: 400 }, () => [Math.floor(random() * 7)]);
    const means = [3, -1, 4, 1, -5, 9, 2];
    const target = Float64Array.from(rows, ([code]) => means[code] + random());
    const matrix = denseFromRows(rows);
    const model = fitBoosting(binFeatures(matrix, { categorical: new Set([0]) }), target, STUMP);
    let best = Number.POSITIVE_INFINITY;
    for (let subset = 1; subset < 127; subset++) {
      const sides = [0, 1].map((side) =>
        [...target].filter((_, row) => ((subset >> rows[row][0]) & 1) === side),
      );
      best = Math.min(best, squaresAround(sides[0]) + squaresAround(sides[1]));
    }
    expect(squaresLeft(predictBoosting(model, matrix), target)).toBeCloseTo(best, 6);
  });
});

describe("boosting", () => {
  test("on one feature finds a step function exactly", () => {
    const matrix = denseFromRows(Array.from({ length: 250 }, (_, row) => [row]));
    const target = targetOf(matrix, (x) => (x < 50 ? 1 : x < 170 ? 5 : x < 220 ? -2 : 0));
    const model = fitBoosting(binFeatures(matrix), target, {
      loss: "squared",
      trees: 1,
      learningRate: 1,
      maxLeaves: 4,
    });
    expect(farthest(predictBoosting(model, matrix), target)).toBeLessThan(1e-6);
  });

  test("predicts the same from bins as from values, missing values and categories included", () => {
    const random = seededRandom(8);
    const rows = Array.from({ length: 500 }, () => [
      random() < 0.2 ? Number.NaN : random(),
      Math.floor(random() * 30),
      random() < 0.5 ? Number.POSITIVE_INFINITY : random(),
    ]);
    const matrix = denseFromRows(rows);
    const target = Float64Array.from(rows, ([a, b, c]) => (a || 3) + (b % 4) + Math.min(c, 2));
    const binned = binFeatures(matrix, { categorical: new Set([1]) });
    const model = fitBoosting(binned, target, { loss: "squared", trees: 40 });
    const all = Int32Array.from(rows, (_, row) => row);
    expect(predictBinned(model, binned, all)).toEqual(predictBoosting(model, matrix));
    expect(squaresLeft(predictBoosting(model, matrix), target)).toBeLessThan(
      0.05 * squaresAround([...target]),
    );
  });

  test("treats a weight of two like a row given twice", () => {
    const matrix = normalMatrix(200, 3, 4);
    const target = targetOf(matrix, (a, b) => a * b);
    const twice = Int32Array.from({ length: 300 }, (_, i) => (i < 200 ? i : i - 200));
    const weights = Float64Array.from({ length: 200 }, (_, i) => (i < 100 ? 2 : 1));
    const options: BoostingOptions = { loss: "squared", trees: 5, minSamplesLeaf: 1, maxLeaves: 8 };
    const weighted = fitBoosting(binFeatures(matrix), target, { ...options, weights });
    const repeated = fitBoosting(binFeatures(matrix), target, { ...options, rows: twice });
    expect(farthest(predictBoosting(weighted, matrix), predictBoosting(repeated, matrix))).toBeLessThan(1e-6);
  });

  test("still finds a small step beside a gigantic outlier", () => {
    const matrix = denseFromRows(Array.from({ length: 200 }, (_, row) => [row]));
    const target = targetOf(matrix, (x) => (x === 199 ? 1e8 : x < 90 ? 0 : 1));
    const options: BoostingOptions = { ...STUMP, maxLeaves: 3 };
    const predicted = predictBoosting(fitBoosting(binFeatures(matrix), target, options), matrix);
    expect(predicted[100] - predicted[80]).toBeCloseTo(1, 2);
  });

  test("learns nothing from a target without variation, and from no feature at all", () => {
    const matrix = normalMatrix(100, 2, 1);
    const flat = new Float64Array(100).fill(7);
    const model = fitBoosting(binFeatures(matrix), flat, { loss: "squared", trees: 3 });
    expect(predictBoosting(model, matrix)).toEqual(flat);
    const empty = { rows: 100, columns: 0, values: new Float64Array(0) };
    const nothing = fitBoosting(
      binFeatures(empty),
      targetOf(matrix, (a) => a),
      { loss: "squared", trees: 2 },
    );
    expect(Number.isFinite(predictBoosting(nothing, empty)[0])).toBe(true);
    const constant = { rows: 100, columns: 1, values: new Float64Array(100) };
    const target = targetOf(matrix, (a) => a);
    const alone = predictBoosting(
      fitBoosting(binFeatures(constant), target, { loss: "squared", trees: 3 }),
      constant,
    );
    expect(alone[0]).toBeCloseTo(target.reduce((sum, value) => sum + value, 0) / 100, 9);
  });

  test("stops early and keeps the trees up to the best iteration", () => {
    const matrix = normalMatrix(400, 5, 2);
    const random = seededRandom(5);
    const target = targetOf(matrix, (a) => a + 2 * random());
    const rows = Int32Array.from({ length: 400 }, (_, i) => i);
    const [train, validation] = [rows.filter((i) => i % 4 > 0), rows.filter((i) => i % 4 === 0)];
    const options: BoostingOptions = { loss: "squared", trees: 500, rows: train, validation, patience: 8 };
    const { iterations, validationLosses } = fitBoosting(binFeatures(matrix), target, options);
    expect(validationLosses.length).toBe(iterations.length + 8);
    expect(Math.min(...validationLosses)).toBe(validationLosses[iterations.length - 1]);
  });

  test("told to stop, keeps its trees and says that it was cut", () => {
    const matrix = normalMatrix(200, 2, 2);
    let asked = 0;
    const shouldStop = () => ++asked > 4;
    const target = targetOf(matrix, (a) => a);
    const model = fitBoosting(binFeatures(matrix), target, { loss: "squared", trees: 50, shouldStop });
    expect(model.iterations).toHaveLength(4);
    expect(model.cut).toBe(true);
  });
});
