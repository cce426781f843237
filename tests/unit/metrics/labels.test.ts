import { expect, test } from "vitest";
import { accuracy } from "../../../src/metrics/classification/accuracy.ts";
import { fBeta } from "../../../src/metrics/classification/f-beta.ts";
import { jaccard } from "../../../src/metrics/classification/jaccard.ts";
import { labelWeightedLrap } from "../../../src/metrics/classification/lwlrap.ts";
import { macroF1 } from "../../../src/metrics/classification/macro-f1.ts";
import { matthewsCorrelation } from "../../../src/metrics/classification/matthews.ts";
import { microF1 } from "../../../src/metrics/classification/micro-f1.ts";
import { quadraticWeightedKappa } from "../../../src/metrics/classification/quadratic-kappa.ts";
import { averagePrecisionAtK } from "../../../src/metrics/sequences/average-precision-at-k.ts";

test("accuracy is the share of equal labels", () => {
  expect(accuracy([0, 1, 2, 0], [0, 1, 2, 1])).toBe(0.75);
  expect(accuracy([1], [Number.NaN])).toBe(0);
  expect(accuracy([], [])).toBeNaN();
});

test("kappa weighs by label position, so 7 and 9 cost the same", () => {
  const truth = [0, 1, 2, 3, 4, 0];
  expect(quadraticWeightedKappa(truth, [0, 1, 2, 3, 1, 2])).toBe(0.3157894736842105);
  expect(quadraticWeightedKappa(truth, [0, 1, 7, 3, 1, 2])).toBe(0.2666666666666667);
  expect(quadraticWeightedKappa(truth, [0, 1, 9, 3, 1, 2])).toBe(0.2666666666666667);
});

test("kappa with a single label overall is NaN", () => {
  expect(quadraticWeightedKappa([3, 3], [3, 3])).toBeNaN();
});

test("kappa with thousands of different labels needs no matrix", () => {
  const truth = Array.from({ length: 3000 }, (_, i) => i % 6);
  const wild = truth.map((_, i) => i * 1000);
  expect(quadraticWeightedKappa(truth, wild)).toBeLessThan(0.01);
});

test("macro F1 counts a label that is only predicted as a class", () => {
  expect(macroF1([5, 7, 5, 9], [5, 7, 5, 5])).toBe(0.6);
  expect(macroF1([5, 7, 5, 9], [5, 7, 5, 8])).toBe(0.5);
  expect(macroF1([5, 7, 5, 9], [5, 7, 5, 9])).toBe(1);
});

test("micro F1 and F-beta are 0 when there is nothing to count", () => {
  expect(microF1(4, 6, 5)).toBe(8 / 11);
  expect(microF1(0, 0, 0)).toBe(0);
  expect(fBeta(0, 0, 0, 0.5)).toBe(0);
  expect(fBeta(3, 5, 4, 0.5)).toBe((1.25 * 3) / (0.25 * 5 + 4));
});

test("Matthews correlation of a constant prediction is 0, of an inversion -1", () => {
  expect(matthewsCorrelation([0, 1, 1, 0], [1, 1, 1, 1])).toBe(0);
  expect(matthewsCorrelation([0, 1, 1, 0], [1, 0, 0, 1])).toBe(-1);
  expect(matthewsCorrelation([0, 1, 2, 0], [0, 1, 2, 0])).toBe(1);
  expect(matthewsCorrelation([], [])).toBe(0);
});

test.each([
  [["36363"], ["1", "36363"], 5, 0.5],
  [["5"], ["5", "5", "5"], 5, 1],
  [["1", "2"], ["1", "1", "2"], 12, (1 + 2 / 3) / 2],
  [["a"], ["", "a"], 5, 0.5],
  [["a"], ["b", "c", "d", "e", "f", "a"], 5, 0],
  [[], ["a"], 5, 0],
  [["a", "b", "c"], ["a", "b"], 2, 1],
])("truth %j, ranking %j, cut at %d: %f", (actual, predicted, k, expected) => {
  expect(averagePrecisionAtK(new Set(actual), predicted, k)).toBe(expected);
});

test("LWLRAP of constant scores takes the worst rank everywhere", () => {
  const positives = [[3], [10, 20], [1, 2, 79], []];
  const truth = Array.from({ length: 80 }, (_, label) =>
    Float64Array.from(positives, (row) => Number(row.includes(label))),
  );
  const score = truth.map((column) => column.map(() => 0.5));
  expect(labelWeightedLrap(truth, score)).toBe(0.029166666666666664);
});

test("LWLRAP refuses a missing score in a row that counts and overlooks it elsewhere", () => {
  const truth = [Float64Array.of(1, 0), Float64Array.of(0, 0)];
  expect(labelWeightedLrap(truth, [Float64Array.of(1, 0), Float64Array.of(Number.NaN, 0)])).toBeNull();
  expect(labelWeightedLrap(truth, [Float64Array.of(1, 0), Float64Array.of(0, Number.NaN)])).toBe(1);
  expect(labelWeightedLrap([Float64Array.of(0)], [Float64Array.of(0)])).toBeNull();
});

test("a row with every label true scores 1", () => {
  const all = [Float64Array.of(1), Float64Array.of(1)];
  expect(labelWeightedLrap(all, [Float64Array.of(0.1), Float64Array.of(0.1)])).toBe(1);
});

test("Jaccard of two empty sets is left to the caller", () => {
  expect(jaccard(new Set(["foo", "bar"]), new Set(["foo", "bar", "baz"]))).toBe(2 / 3);
  expect(jaccard(new Set(), new Set(["a"]))).toBe(0);
  expect(jaccard(new Set(), new Set())).toBeNull();
});
