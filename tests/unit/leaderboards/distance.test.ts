import { describe, expect, it } from "vitest";
import { medalDistances, normalisedScore } from "../../../src/leaderboards/distance.ts";

const higher = {
  teams: 1000,
  lowerIsBetter: false,
  gold: 0.9006,
  silver: 0.8598,
  bronze: 0.8534,
  median: 0.8,
};
const lower = { teams: 1000, lowerIsBetter: true, gold: 0.62, silver: 1.37, bronze: 1.99, median: 5 };

describe("the distance to a medal", () => {
  it("is what must be added to the score, without binary noise", () => {
    expect(medalDistances(0.85, higher)).toEqual({ gold: 0.0506, silver: 0.0098, bronze: 0.0034 });
  });

  it("is negative where lower is better", () => {
    expect(medalDistances(2, lower)).toEqual({ gold: -1.38, silver: -0.63, bronze: -0.01 });
  });

  it("is zero for every medal reached", () => {
    expect(medalDistances(0.86, higher)).toEqual({ gold: 0.0406, silver: 0, bronze: 0 });
    expect(medalDistances(0.62, lower)).toEqual({ gold: 0, silver: 0, bronze: 0 });
    expect(medalDistances(Number.NEGATIVE_INFINITY, lower)).toEqual({ gold: 0, silver: 0, bronze: 0 });
  });

  it("does not exist for no score, NaN, or an infinitely bad score", () => {
    expect(medalDistances(null, higher)).toBeNull();
    expect(medalDistances(Number.NaN, higher)).toBeNull();
    expect(medalDistances(Number.NEGATIVE_INFINITY, higher)).toBeNull();
    expect(medalDistances(Number.POSITIVE_INFINITY, lower)).toBeNull();
  });
});

describe("the normalised score", () => {
  it("is 0 at the sample submission and 1 at gold, in both directions", () => {
    expect(normalisedScore(0.5, 0.5, higher)).toBe(0);
    expect(normalisedScore(0.9006, 0.5, higher)).toBe(1);
    expect(normalisedScore(0.62, 10, lower)).toBe(1);
    expect(normalisedScore(5.31, 10, lower)).toBeCloseTo(0.5, 10);
  });

  it("goes beyond 1 above gold and below 0 under the sample", () => {
    expect(normalisedScore(1, 0.5, higher)).toBeGreaterThan(1);
    expect(normalisedScore(0.4, 0.5, higher)).toBeLessThan(0);
  });

  it.each([
    [null, 0.5],
    [0.7, null],
    [Number.NaN, 0.5],
    [Number.POSITIVE_INFINITY, 0.5],
    [0.7, Number.NEGATIVE_INFINITY],
    [0.7, 0.9006],
    [0.9006, 0.9006],
  ])("does not exist for score %s and sample %s", (score, sample) => {
    expect(normalisedScore(score, sample, higher)).toBeNull();
  });
});
