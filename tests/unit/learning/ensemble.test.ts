import { describe, expect, test } from "vitest";
import { clip, seenRange } from "../../../src/learning/ensemble/clipping.ts";
import { applyBlend, selectGreedily } from "../../../src/learning/ensemble/greedy-selection.ts";
import { averageOfRanks, toRanks } from "../../../src/learning/ensemble/rank-average.ts";
import { applyCutPoints, bestKappaCuts, bestThreshold } from "../../../src/learning/ensemble/thresholds.ts";
import { fBeta } from "../../../src/metrics/classification/f-beta.ts";
import { quadraticWeightedKappa } from "../../../src/metrics/classification/quadratic-kappa.ts";
import { rocAuc } from "../../../src/metrics/classification/roc-auc.ts";
import { rmse } from "../../../src/metrics/regression/rmse.ts";
import { normalMatrix, targetOf } from "./made-data.ts";

const noise = normalMatrix(500, 4, 1);
const truth = targetOf(noise, (a) => a);
const candidates = [
  targetOf(noise, (a, b) => a + b),
  targetOf(noise, (a, b) => a - b),
  targetOf(noise, (_a, _b, c) => c),
];

describe("greedy selection", () => {
  test("blends two candidates whose errors cancel and leaves out the useless one", () => {
    const score = (blend: Float64Array) => rmse(truth, blend);
    const { weights, score: reached } = selectGreedily(candidates, score, { direction: "minimize" });
    expect([...weights]).toEqual([0.5, 0.5, 0]);
    expect(reached).toBeCloseTo(0, 12);
    expect(score(applyBlend(weights, candidates))).toBe(reached);
  });

  test("is never worse than the best candidate alone", () => {
    const labels = truth.map((value) => Number(value > 1));
    const score = (blend: Float64Array) => rocAuc(labels, blend);
    const best = Math.max(...candidates.map((candidate) => score(candidate) ?? 0));
    expect(selectGreedily(candidates, score, { direction: "maximize" }).score).toBeGreaterThanOrEqual(best);
  });

  test("chooses nothing when no score can be computed", () => {
    const { weights } = selectGreedily(candidates, () => null, { direction: "maximize" });
    expect([...weights]).toEqual([0, 0, 0]);
  });
});

test("ranks forget the scale of a model", () => {
  expect([...toRanks(Float64Array.of(5, 1000, -3, 5))]).toEqual([0.5, 0.875, 0.125, 0.5]);
  const small = candidates[0].map((value) => value / 1e6);
  expect(averageOfRanks([small, candidates[1]])).toEqual(averageOfRanks([candidates[0], candidates[1]]));
});

test.each([0.5, 1, 2])("the best threshold for F-%d is the best of all thresholds", (beta) => {
  const score = candidates[0].map((value) => Math.round(value * 4) / 4);
  const labels = truth.map((value) => Number(value > 0.5));
  const valueAt = (threshold: number) => {
    const chosen = labels.filter((_, row) => score[row] >= threshold);
    return fBeta(
      chosen.reduce((sum, label) => sum + label, 0),
      labels.reduce((sum, label) => sum + label, 0),
      chosen.length,
      beta,
    );
  };
  const { threshold, value } = bestThreshold(labels, score, beta);
  expect(value).toBe(Math.max(...[...score].map(valueAt)));
  expect(valueAt(threshold)).toBe(value);
});

test("without a positive row no threshold is met", () => {
  expect(bestThreshold([0, 0], Float64Array.of(0.2, 0.7)).threshold).toBe(Number.POSITIVE_INFINITY);
});

describe("cut points for kappa", () => {
  const grades = truth.map((value) => (value < -1 ? 0 : value < 0.2 ? 1 : value < 1.1 ? 2 : 3));

  test("of a score that orders the grades are exact", () => {
    const cuts = bestKappaCuts(grades, truth, 4);
    expect(quadraticWeightedKappa(grades, applyCutPoints(truth, cuts))).toBe(1);
  });

  test("of a noisy score beat rounding, and stay in order", () => {
    const noisy = candidates[0];
    const cuts = bestKappaCuts(grades, noisy, 4);
    const rounded = noisy.map((value) => Math.min(3, Math.max(0, Math.round(value + 1))));
    const kappa = quadraticWeightedKappa(grades, applyCutPoints(noisy, cuts));
    expect(kappa).toBeGreaterThan(quadraticWeightedKappa(grades, rounded));
    expect([...cuts]).toEqual([...cuts].sort((a, b) => a - b));
  });
});

test("clipping keeps predictions in the range seen and replaces what is not a number", () => {
  const { low, high } = seenRange(Float64Array.of(2, 9, 4));
  expect([...clip(Float64Array.of(1, 5, Number.NaN, Number.POSITIVE_INFINITY), low, high, 3)]).toEqual([
    2, 5, 3, 9,
  ]);
});
