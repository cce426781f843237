import { describe, expect, test } from "vitest";
import { binaryLogLoss } from "../../../src/metrics/classification/binary-log-loss.ts";
import { klDivergence } from "../../../src/metrics/classification/kl-divergence.ts";
import { multiclassLogLoss } from "../../../src/metrics/classification/log-loss.ts";
import { probabilisticF1 } from "../../../src/metrics/classification/probabilistic-f1.ts";
import { studyLogLoss } from "../../../src/metrics/classification/weighted-multilabel-log-loss.ts";

const columns = (rows: number[][]): Float64Array[] =>
  rows[0].map((_, column) => Float64Array.from(rows, (row) => row[column]));

describe("multi-class log loss", () => {
  const oneHot = (classes: number): Float64Array[] =>
    Array.from({ length: classes }, (_, c) =>
      Float64Array.from({ length: classes }, (_, r) => Number(r === c)),
    );

  test.each([
    [99, 4.59511985013459],
    [120, 4.787491742782046],
  ])("a uniform guess over %d classes costs %f", (classes, expected) => {
    const truth = oneHot(classes).map((column) => column.slice(0, 2));
    const uniform = truth.map((column) => column.map(() => 1 / classes));
    expect(multiclassLogLoss(truth, uniform)).toBe(expected);
  });

  test("the answers themselves cost the clipping distance", () => {
    expect(multiclassLogLoss(oneHot(5), oneHot(5))).toBeCloseTo(2 ** -52, 30);
  });

  test("a certain error costs 36.04, a row without a true class nothing", () => {
    expect(multiclassLogLoss(columns([[1, 0]]), columns([[0, 1]]))).toBe(36.04365338911715);
    expect(multiclassLogLoss(columns([[0, 0]]), columns([[0.5, 0.5]]))).toBe(0);
  });
});

describe("binary log loss", () => {
  test("all one half, and all exactly wrong", () => {
    expect(binaryLogLoss([0, 1, 1], [0.5, 0.5, 0.5])).toBe(Math.LN2);
    expect(binaryLogLoss([0, 1], [1, 0])).toBe(36.04365338911715);
  });

  test("a truth of one class has no loss", () => {
    expect(binaryLogLoss([1, 1], [0.5, 0.5])).toBeNull();
    expect(binaryLogLoss([0, 0], [0.5, 0.5])).toBeNull();
  });
});

describe("cervical spine study loss", () => {
  test("a certain miss and a certain false alarm cost different amounts", () => {
    const allWrong = (truth: number): number =>
      studyLogLoss(new Float64Array(8).fill(truth), new Float64Array(8).fill(1 - truth));
    expect(allWrong(1)).toBeCloseTo(34.538776394910684, 13);
    expect(allWrong(0)).toBeCloseTo(-Math.log(9.992007221626409e-16), 13);
  });

  test("the overall finding weighs seven vertebrae, a positive twice a negative", () => {
    const truth = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 1);
    const probability = Float64Array.of(0.25, 0, 0, 0, 0, 0, 0, 0.5);
    const certain = -Math.log(1 - 1e-15);
    const expected = (14 * -Math.log(0.25) + 6 * certain + 2 * -Math.log(0.5)) / (14 + 6 + 2);
    expect(studyLogLoss(truth, probability)).toBeCloseTo(expected, 14);
  });
});

describe("KL divergence of votes", () => {
  const votes = columns([
    [3, 0, 0, 0, 0, 0],
    [1, 1, 1, 0, 0, 0],
    [0, 0, 7, 1, 0, 3],
  ]);
  const everywhere = (row: number[]): Float64Array[] => columns([row, row, row]);
  const clipAll = Array(6).fill(true);

  test("uniform and lopsided predictions", () => {
    expect(klDivergence(votes, everywhere(Array(6).fill(1 / 6)), clipAll)).toBe(1.1388996126601836);
    // ln 10 lies almost halfway between two doubles, and mathematical libraries disagree on which is nearer.
    const lopsided = everywhere([0.1, 0.1, 0.1, 0.1, 0.1, 0.5]);
    expect(klDivergence(votes, lopsided, clipAll)).toBeCloseTo(1.5034126989321648, 14);
  });

  test("a zero is clipped in a decimal column and infinitely wrong in an integer one", () => {
    const oneHot = everywhere([1, 0, 0, 0, 0, 0]);
    expect(klDivergence(votes, oneHot, Array(6).fill(false))).toBe(Number.POSITIVE_INFINITY);
    expect(klDivergence(votes, oneHot, clipAll)).toBeCloseTo(18.53534925171584, 10);
  });

  test("a missing prediction adds nothing", () => {
    const missing = everywhere([Number.NaN, 0.2, 0.2, 0.2, 0.2, 0.2]);
    const loss = klDivergence(
      columns([[3, 0, 0, 0, 0, 0]]),
      missing.map((c) => c.slice(0, 1)),
      clipAll,
    );
    expect(loss).toBe(0);
  });
});

describe("probabilistic F1", () => {
  const truth = [0, 1, 0, 1];

  test.each([
    [[0, 1, 0, 1], 1],
    [[0.1, 0.9, 0.2, 0.3], 0.6857142857142857],
    [[2, 3, 4, 5], 0.6666666666666666],
    [[0, Number.POSITIVE_INFINITY, 0, 0], 0.6666666666666666],
    [[1, 0, 1, 0], 0],
    [[0.1, Number.NaN, 0.2, 0.3], 0],
    [[-1, -1, 0, -1], 0],
    [[-1, -1, -0, -1], 0],
    [[-1, -0.5, -0.1, -1], null],
  ])("%j scores %j", (predicted, expected) => {
    const score = probabilisticF1(truth, predicted);
    if (expected === null) expect(score).toBeNull();
    else expect(score).toBeCloseTo(expected, 15);
  });

  test("a truth without positives has no score", () => {
    expect(probabilisticF1([0, 0], [0.5, 0.5])).toBeNull();
  });
});
