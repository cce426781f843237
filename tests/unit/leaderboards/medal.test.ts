import { describe, expect, it } from "vitest";
import { awardMedal } from "../../../src/leaderboards/medal.ts";

const higher = { teams: 1000, lowerIsBetter: false, gold: 0.9, silver: 0.8, bronze: 0.7, median: 0.5 };
const lower = { teams: 1000, lowerIsBetter: true, gold: 0.1, silver: 0.2, bronze: 0.3, median: 0.5 };

describe("a medal", () => {
  it.each([
    [0.95, "gold"],
    [0.9, "gold"],
    [0.89999, "silver"],
    [0.8, "silver"],
    [0.7, "bronze"],
    [0.69999, null],
    [Number.POSITIVE_INFINITY, "gold"],
    [Number.NEGATIVE_INFINITY, null],
    [Number.NaN, null],
    [null, null],
  ])("where higher is better: %f earns %s", (score, medal) => {
    expect(awardMedal(score, higher).medal).toBe(medal);
  });

  it.each([
    [0.1, "gold"],
    [0.10001, "silver"],
    [0.3, "bronze"],
    [0.30001, null],
    [Number.NEGATIVE_INFINITY, "gold"],
    [Number.POSITIVE_INFINITY, null],
  ])("where lower is better: %f earns %s", (score, medal) => {
    expect(awardMedal(score, lower).medal).toBe(medal);
  });

  it("sets only the best medal's flag", () => {
    expect(awardMedal(0.85, higher)).toEqual({
      medal: "silver",
      goldMedal: false,
      silverMedal: true,
      bronzeMedal: false,
      anyMedal: true,
      aboveMedian: true,
    });
  });

  it("is gold when all three thresholds are equal", () => {
    expect(awardMedal(1, { ...higher, gold: 1, silver: 1, bronze: 1 }).medal).toBe("gold");
  });
});

describe("above the median", () => {
  it("is strict in both directions, and false for NaN and no score", () => {
    expect(awardMedal(0.5, higher).aboveMedian).toBe(false);
    expect(awardMedal(0.50001, higher).aboveMedian).toBe(true);
    expect(awardMedal(0.5, lower).aboveMedian).toBe(false);
    expect(awardMedal(0.49999, lower).aboveMedian).toBe(true);
    expect(awardMedal(Number.NaN, lower).aboveMedian).toBe(false);
    expect(awardMedal(null, lower).aboveMedian).toBe(false);
  });
});
