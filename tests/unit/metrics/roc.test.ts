import { expect, test } from "vitest";
import { argsortDescending } from "../../../src/metrics/arithmetic/argsort.ts";
import { rocPoints } from "../../../src/metrics/arithmetic/roc-curve.ts";
import { sortDescending } from "../../../src/metrics/arithmetic/sort-descending.ts";
import { averagePrecision } from "../../../src/metrics/classification/average-precision.ts";
import { rocAuc } from "../../../src/metrics/classification/roc-auc.ts";
import { weightedRocAuc } from "../../../src/metrics/classification/weighted-roc-auc.ts";
import { powerMean } from "../../../src/metrics/regression/power-mean.ts";

const scores = (...values: number[]): Float64Array => Float64Array.from(values);

test("two equal scores form one step of the ROC curve", () => {
  expect(rocAuc([0, 1, 1, 0], scores(0.1, 0.9, 0.8, 0.8))).toBe(0.875);
});

test("constant scores have an area of one half", () => {
  expect(rocAuc([0, 1, 1, 0, 1], scores(3, 3, 3, 3, 3))).toBe(0.5);
});

test("-0 and 0 are equal scores", () => {
  expect(rocAuc([0, 1], scores(-0, 0))).toBe(0.5);
  const many = Float64Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? -0 : 0));
  expect(
    rocAuc(
      many.map((_, i) => i % 2),
      many,
    ),
  ).toBe(0.5);
});

test.each([
  ["only positives", [1, 1], [0.1, 0.2]],
  ["only negatives", [0, 0], [0.1, 0.2]],
  ["no rows", [], []],
  ["a missing score", [0, 1], [Number.NaN, 1]],
  ["an infinite score", [0, 1], [0, Number.POSITIVE_INFINITY]],
])("%s: no area", (_, truth, score) => {
  expect(rocAuc(truth, scores(...score))).toBeNull();
  expect(weightedRocAuc(truth, scores(...score))).toBeNull();
});

test("interior points between two equal steps are dropped, the first and last points never", () => {
  const points = rocPoints([1, 1, 1, 1, 0, 0, 0], scores(9, 8, 7, 6, 3, 2, 1));
  expect(Array.from(points!.truePositives)).toEqual([0, 1, 4, 4]);
  expect(Array.from(points!.falsePositives)).toEqual([0, 0, 0, 3]);
});

test("ALASKA2 counts true positive rates up to 0.4 double", () => {
  expect(weightedRocAuc([0, 1, 1, 0, 1, 0], scores(0.1, 0.9, 0.35, 0.4, 0.8, 0.7))).toBe(0.8412698412698414);
  expect(weightedRocAuc([0, 1, 1, 0, 1, 0], scores(1, 1, 1, 1, 1, 1))).toBe(0.5857142857142857);
  expect(weightedRocAuc([0, 0, 1], scores(1, 2, 3))).toBeCloseTo(1, 15);
});

test("a ROC point at exactly 0.4 is not inserted a second time", () => {
  const score = scores(10, 9, 8, 7, 6, 5);
  expect(weightedRocAuc([1, 1, 0, 1, 1, 1], score)).toBeCloseTo((0.4 * 2 + 0) / 1.4, 15);
});

test("the power mean of equal values is that value, and one zero makes it 0", () => {
  expect(powerMean([0.5, 0.5, 0.5], -5)).toBeCloseTo(0.5, 15);
  expect(powerMean([0.9, 0, 0.8], -5)).toBe(0);
  expect(powerMean([1, 4], 1)).toBe(2.5);
});

test("average precision steps once per distinct score", () => {
  expect(averagePrecision([0, 0, 1, 1], scores(0.1, 0.4, 0.35, 0.8))).toBe(0.8333333333333333);
  expect(averagePrecision([1, 0, 0, 0], scores(1, 1, 1, 1))).toBe(0.25);
});

test("average precision needs a negative row and finite scores", () => {
  expect(averagePrecision([1, 1], scores(0.1, 0.2))).toBeNull();
  expect(averagePrecision([0, 1], scores(Number.NaN, 0.2))).toBeNull();
  expect(averagePrecision([0, 0], scores(0.1, 0.2))).toBe(0);
});

test("long and short lists sort alike, with negative, huge, tiny, infinite and equal values", () => {
  const pool = [0, -0, 1, -1, 1e-310, -1e-310, 5e300, -5e300, 0.1, 0.3, Number.POSITIVE_INFINITY, -Infinity];
  for (const count of [12, 128, 129, 512, 513, 5000]) {
    const values = Float64Array.from(
      { length: count },
      (_, i) => pool[(i * 7) % 12] * (i % 3 === 0 ? 1 : 0.7),
    );
    const expected = Array.from(values, (value, i) => ({ value, i })).sort((a, b) =>
      a.value === b.value ? a.i - b.i : b.value > a.value ? 1 : -1,
    );
    expect(Array.from(argsortDescending(values))).toEqual(expected.map(({ i }) => i));
    expect(Array.from(sortDescending(values))).toEqual(expected.map(({ value }) => value + 0));
  }
});
