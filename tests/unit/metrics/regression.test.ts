import { expect, test } from "vitest";
import { quantile } from "../../../src/metrics/arithmetic/quantile.ts";
import { averageRanks } from "../../../src/metrics/arithmetic/ranks.ts";
import { meanAngularError } from "../../../src/metrics/regression/angular-error.ts";
import { haversineDistances } from "../../../src/metrics/regression/haversine.ts";
import { laplaceLogLikelihood } from "../../../src/metrics/regression/laplace-log-likelihood.ts";
import { groupedLogMae } from "../../../src/metrics/regression/log-mae.ts";
import { mae } from "../../../src/metrics/regression/mae.ts";
import { pearson } from "../../../src/metrics/regression/pearson.ts";
import { rmse } from "../../../src/metrics/regression/rmse.ts";
import { rmsle } from "../../../src/metrics/regression/rmsle.ts";
import { spearman } from "../../../src/metrics/regression/spearman.ts";

const list = (...values: number[]): Float64Array => Float64Array.from(values);
const { NaN: missing, POSITIVE_INFINITY: infinite } = Number;

test("errors of three rows", () => {
  expect(rmse([0, 1, 0.5], [1, 1, 1])).toBe(0.6454972243679028);
  expect(mae([0, 1, 0.5], [1, 1, 1])).toBe(0.5);
  expect(rmsle([0, 1], [0, 1])).toBe(0);
  expect(rmsle([Math.E - 1], [0])).toBeCloseTo(1, 15);
});

test("predictions of true and false enter the logarithmic error in half precision", () => {
  expect(rmsle([0.1, 0.2, 0.3], [1, 0, 1], true) / 2).toBeCloseTo(0.21921465417274144, 15);
  expect(rmsle([0.1, 0.2, 0.3], [1, 0, 1]) / 2).toBeCloseTo(0.21913164809108196, 15);
});

test("a huge prediction overflows to an infinite error", () => {
  expect(rmse([0], [1e200])).toBe(infinite);
});

test("the log error is averaged over groups, not rows", () => {
  const truth = [84.8, 80, -11.2, -10];
  expect(groupedLogMae(Int32Array.of(0, 0, 1, 1), 2, truth, [84, 81, -11, -9])).toBe(-0.3080930697119096);
  const joined = [84.8, 84.8, 80, -11.2, -10];
  expect(groupedLogMae(Int32Array.of(0, 0, 0, 1, 1), 2, joined, [84, 80, 81, -11, -9])).toBe(
    0.138815868299139,
  );
});

test("the rows of a group may be scattered", () => {
  const score = groupedLogMae(Int32Array.of(1, 0, 1, 0), 2, [-11.2, 84.8, -10, 80], [-11, 84, -9, 81]);
  expect(score).toBe(-0.3080930697119096);
});

test("one perfect group makes the log error -Infinity", () => {
  expect(groupedLogMae(Int32Array.of(0, 1), 2, [1, 2], [1, 5])).toBe(-infinite);
});

test("the Laplace likelihood caps the error and raises the deviation", () => {
  const floor = -Math.log(Math.SQRT2 * 70);
  expect(laplaceLogLikelihood([2000], [2000], [1])).toBe(floor);
  expect(laplaceLogLikelihood([2000], [infinite], [70])).toBe((-Math.SQRT2 * 1000) / 70 + floor);
  expect(laplaceLogLikelihood([2000], [missing], [70])).toBeNaN();
  expect(laplaceLogLikelihood([2000], [1990], [infinite])).toBe(-infinite);
  expect(laplaceLogLikelihood([], [], [])).toBeNaN();
});

test("the mean angle between directions", () => {
  const truth = { azimuth: list(0.1, 3, 6), zenith: list(0.2, 1, 2.5) };
  const score = meanAngularError(truth, { azimuth: list(1, 1, 1), zenith: list(1, 1, 1) });
  expect(score).toBeCloseTo(1.44111910247336, 14);
  expect(meanAngularError(truth, truth)).toBeLessThan(1e-7);
});

test("a degree of latitude is 111 km, and a missing coordinate has no distance", () => {
  const truth = { latitude: list(0, 10), longitude: list(0, 20) };
  const predicted = { latitude: list(1, missing), longitude: list(0, 20) };
  const [degree, unknown] = haversineDistances(truth, predicted);
  expect(degree).toBeCloseTo((6_371_000 * Math.PI) / 180, 6);
  expect(unknown).toBeNaN();
});

test("a latitude of true or false is taken in half precision", () => {
  const truth = { latitude: list(37), longitude: list(-122) };
  const predicted = { latitude: list(1), longitude: list(-121) };
  const [distance] = haversineDistances(truth, predicted, { latitude: true, longitude: false });
  expect(distance).toBeCloseTo(4004317.991062826, 6);
});

test("quantiles interpolate between neighbours", () => {
  expect(quantile(list(3, 1, 2), 0.5)).toBe(2);
  expect(quantile(list(1, 2), 0.5)).toBe(1.5);
  expect(quantile(list(0, 1, 2, 3), 0.95)).toBeCloseTo(2.85, 15);
  expect(quantile(list(7), 0.95)).toBe(7);
  expect(quantile(list(1, missing), 0.5)).toBeNaN();
  expect(quantile(list(), 0.5)).toBeNaN();
});

test("equal values share their mean rank", () => {
  expect(Array.from(averageRanks(list(10, 20, 10, -0, 0)))).toEqual([3.5, 5, 3.5, 1.5, 1.5]);
});

// Recorded from scipy.
test("rank correlation has the bits scipy gives it", () => {
  expect(spearman(list(1, 2, 3, 4, 5), list(5, 6, 7, 8, 7))).toBe(0.8207826816681233);
  expect(spearman(list(0.1, 0.4, 0.4, 0.9, 0.2, 0.7), list(1, 3, 2, 2, 2, 9))).toBe(0.5852390484520126);
});

test("rank correlation takes infinities in its stride but not missing or constant values", () => {
  expect(spearman(list(1, 2, 3), list(-infinite, 0, infinite))).toBeCloseTo(1, 15);
  expect(spearman(list(1, 2, 3), list(1, missing, 3))).toBeNaN();
  expect(spearman(list(1, 2, 3), list(4, 4, 4))).toBeNaN();
});

test("linear correlation of recorded cases", () => {
  const truth = list(0.25, 0.5, 1, 0);
  expect(pearson(truth, list(1, 2, 3, 4))).toBeCloseTo(-0.07559, 5);
  expect(pearson(truth, list(-5, 100, 3, 4))).toBeCloseTo(0.11163, 5);
  expect(pearson(truth, list(1, 0, 1, 1))).toBeCloseTo(-0.09759, 5);
});

test("linear correlation with a constant, missing or infinite side is NaN, and of two points exactly ±1", () => {
  expect(pearson(list(1, 2, 3), list(0, 0, 0))).toBeNaN();
  expect(pearson(list(1, 2, 3), list(0, missing, 1))).toBeNaN();
  expect(pearson(list(1, 2, 3), list(0, infinite, 1))).toBeNaN();
  expect(pearson(list(1, 2), list(7, 3))).toBe(-1);
  expect(pearson(list(-5e210, 5e210, 3e200), list(1, 2, 1.5))).toBeCloseTo(1, 12);
});
