import { expect, test } from "vitest";
import { binFeatures, binOf } from "../../../src/learning/boosting/bins.ts";
import { denseFromRows } from "../../../src/learning/matrix.ts";
import { normalMatrix } from "./made-data.ts";

test("few different values are all told apart, with cuts halfway between them", () => {
  const { features, bins } = binFeatures(denseFromRows([[3], [1], [1], [Number.NaN], [7]]));
  expect([...features[0].limits]).toEqual([2, 5]);
  expect([...bins]).toEqual([1, 0, 0, 3, 2]);
});

test("many values are cut into bins of equal size", () => {
  const { features, bins } = binFeatures(normalMatrix(25_500, 1, 1));
  const counts = new Array(256).fill(0);
  for (const bin of bins) counts[bin]++;
  expect(features[0].count).toBe(255);
  for (const count of counts.slice(0, 255)) expect(Math.abs(count - 100)).toBeLessThanOrEqual(1);
});

test("infinite values are ordinary and have bins of their own", () => {
  const rows = [[Number.NEGATIVE_INFINITY], [0], [Number.POSITIVE_INFINITY], [Number.MAX_VALUE]];
  expect([...binFeatures(denseFromRows(rows)).bins]).toEqual([0, 1, 3, 2]);
});

test("neighbouring floating-point numbers are told apart", () => {
  const next = 1 + Number.EPSILON;
  expect([...binFeatures(denseFromRows([[1], [next]])).bins]).toEqual([0, 1]);
});

test("a column without any value has one bin and all rows in that of the missing", () => {
  const { features, bins } = binFeatures(denseFromRows([[Number.NaN], [Number.NaN]]));
  expect(features[0].count).toBe(1);
  expect([...bins]).toEqual([1, 1]);
});

test("a category never seen counts as missing", () => {
  const { features } = binFeatures(denseFromRows([[0], [4], [2]]), { categorical: new Set([0]) });
  expect([4, 5, 300, -1, Number.NaN].map((code) => binOf(features[0], code))).toEqual([4, 5, 5, 5, 5]);
});
