import { describe, expect, test } from "vitest";
import { numpyMean } from "../../../../src/metrics/arithmetic/numpy-sum.ts";
import {
  dice,
  diceOfCounts,
  fHalf,
  iouThresholdScore,
} from "../../../../src/metrics/pictures/mask-scores.ts";
import { intersection, parseRuns, type Runs } from "../../../../src/metrics/pictures/run-length.ts";

const runs = (text: string) => parseRuns(text, 20) as Runs;

describe("dice", () => {
  const meanDice = (predicted: string[]) =>
    numpyMean(
      Float64Array.from(["1 3 10 5", "2 2", "20 1"], (truth, i) => dice(runs(predicted[i]), runs(truth), 1)),
    );

  test("averaged per image it gives the recorded values", () => {
    expect(meanDice(["1 3", "2 2", ""])).toBe(0.5151515151515151);
    expect(meanDice(["1 3", "2 2", "20 50"])).toBe(0.8484848484848485);
    expect(meanDice(["1 3 10", "2 2", ""])).toBe(0.6190476190476191);
  });

  test("pooled over all images it gives the recorded values", () => {
    const pooled = (predicted: string) =>
      diceOfCounts(
        intersection(runs(predicted), runs("1 3 10 5")),
        runs(predicted).pixels,
        8 + 2,
        Number.NaN,
      );
    expect(pooled("1 3")).toBe(0.46153846153846156);
    expect(pooled("1 3 10")).toBe(0.75);
    expect(pooled("7")).toBe(0);
  });

  test("two empty masks score what the competition says", () => {
    expect(dice(runs(""), runs(""), 1)).toBe(1);
    expect(dice(runs(""), runs(""), Number.NaN)).toBeNaN();
  });
});

describe("share of IoU thresholds", () => {
  const size = 10_201;

  test("an IoU on a threshold does not exceed it", () => {
    expect(iouThresholdScore(1000, 500, 500, size)).toBe(0);
    expect(iouThresholdScore(1000, 501, 501, size)).toBe(0.1);
    expect(iouThresholdScore(1000, 600, 600, size)).toBe(0.2);
    expect(iouThresholdScore(1000, 1000, 1000, size)).toBe(1);
  });

  test("an empty prediction on a mostly filled image counts as a full mask", () => {
    expect(iouThresholdScore(8000, 0, 0, size)).toBe(0.6);
    expect(iouThresholdScore(size, 0, 0, size)).toBe(1);
    expect(iouThresholdScore(100, 0, 0, size)).toBe(0);
  });

  test("an image without foreground scores 1 only for an empty prediction", () => {
    expect(iouThresholdScore(0, 0, 0, size)).toBe(1);
    expect(iouThresholdScore(0, 1, 0, size)).toBe(0);
  });
});

test("the F0.5 score weighs precision over recall, and two empty masks score 0", () => {
  expect(fHalf(5, 5, 10)).toBe(6.25 / 7.5);
  expect(fHalf(5, 10, 5)).toBe(6.25 / 11.25);
  expect(fHalf(0, 0, 0)).toBe(0);
});
