import { describe, expect, it } from "vitest";
import { fragility, printedDecimals } from "../../../src/leaderboards/fragile.ts";
import { sketch } from "./boards.ts";

const higher = sketch({ gold: 0.9006, silver: 0.8598, bronze: 0.8534, median: 0.12345 }, 0.1);
const lower = sketch({ gold: 0.62, silver: 1.37, bronze: 1.99 }, 80);

describe("a medal", () => {
  it.each([
    [0.9006, true, false],
    [0.9007, true, false],
    [0.90071, false, false],
    [0.9005, false, true],
    [0.90049, false, false],
    [0.8599, true, false],
    [0.8597, false, true],
    [0.8535, true, false],
    [0.8533, false, true],
    [0.85329, false, false],
  ])(
    "where higher is better: %f has a fragile medal: %s, is a near miss: %s",
    (score, fragileMedal, nearMiss) => {
      expect(fragility(score, higher)).toEqual({ fragileMedal, nearMiss, unit: 0.0001 });
    },
  );

  it.each([
    [0.61, true, false],
    [0.60999, false, false],
    [0.63, false, true],
    [1.98, true, false],
    [2, false, true],
    [2.00001, false, false],
  ])(
    "where lower is better: %f has a fragile medal: %s, is a near miss: %s",
    (score, fragileMedal, nearMiss) => {
      expect(fragility(score, lower)).toEqual({ fragileMedal, nearMiss, unit: 0.01 });
    },
  );

  it("can be fragile and a near miss at once when two thresholds are neighbours", () => {
    const tight = sketch({ gold: 0.99823, silver: 0.99822, bronze: 0.99818 }, 0.65101);
    expect(fragility(0.99822, tight)).toEqual({ fragileMedal: true, nearMiss: true, unit: 0.00001 });
  });

  it("is neither for no score, NaN and infinities", () => {
    for (const score of [null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(fragility(score, higher)).toMatchObject({ fragileMedal: false, nearMiss: false });
    }
  });
});

describe("the printed precision", () => {
  it("ignores the median, which may be the mean of two scores", () => {
    expect(printedDecimals(higher)).toBe(4);
  });

  it("is none for a board of whole numbers, so that the unit is 1", () => {
    const whole = sketch({ gold: 3971366, silver: 4808057, bronze: 4999330 }, 11854221);
    expect(fragility(4999331, whole)).toEqual({ fragileMedal: false, nearMiss: true, unit: 1 });
  });

  it("is never finer than the five decimals of a grade", () => {
    const fine = sketch({ gold: 0.930508, silver: 0.919654, bronze: 0.914492 }, 2.2e-5);
    expect(fragility(0.93051, fine)).toEqual({ fragileMedal: true, nearMiss: false, unit: 0.00001 });
  });

  it("reads numbers that print with an exponent", () => {
    expect(printedDecimals(sketch({ gold: 0.5, silver: 0.4, bronze: 0.3 }, 1e-5))).toBe(5);
    expect(printedDecimals(sketch({ gold: 1e21, silver: 1e20, bronze: 1e19 }, 0))).toBe(0);
  });
});
