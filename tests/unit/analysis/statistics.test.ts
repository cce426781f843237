import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passAtK, passCurve } from "../../../src/analysis/aggregate/pass-at-k.ts";
import { signFlipTest } from "../../../src/analysis/compare/paired-test.ts";
import { seedsToSeparate } from "../../../src/analysis/compare/planner.ts";
import { holm } from "../../../src/analysis/statistics/holm.ts";
import {
  overCompetitionsInterval,
  overSeedsInterval,
  rateInterval,
} from "../../../src/analysis/statistics/intervals.ts";
import { noncentralDistribution, studentPower } from "../../../src/analysis/statistics/noncentral-t.ts";
import { studentDistribution, studentQuantile } from "../../../src/analysis/statistics/student-t.ts";
import scipy from "./scipy-figures.json" with { type: "json" };
import { coverage, falsePositives, promisedAndFound, separatedHere } from "./simulation.ts";

describe("Student's t", () => {
  // Tabulated values, to the digits that tables print.
  test.each([
    [0.975, 1, 12.706],
    [0.975, 2, 4.303],
    [0.975, 4, 2.776],
    [0.95, 10, 1.812],
    [0.995, 30, 2.75],
    [0.975, 1000, 1.962],
  ])("the %d quantile with %d degrees of freedom is %d", (p, degrees, expected) => {
    expect(studentQuantile(p, degrees)).toBeCloseTo(expected, 3);
  });

  test("one degree of freedom is the Cauchy distribution", () => {
    for (const t of [-3, -0.5, 0, 1, 20]) {
      expect(studentDistribution(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 12);
    }
  });

  test("around a difference it is scipy's noncentral t to eight digits", () => {
    for (const [t, degrees, shift, expected] of scipy.noncentral)
      expect(noncentralDistribution(t, degrees, shift), `${t} ${degrees} ${shift}`).toBeCloseTo(expected, 8);
  });

  test("power is scipy's to eight digits", () => {
    for (const [shift, degrees, expected] of scipy.power)
      expect(studentPower(shift, degrees), `${shift} ${degrees}`).toBeCloseTo(expected, 8);
  });

  test("the planner asks for as many seeds as the t test needs, not for those of the normal distribution", () => {
    for (const { mean, variance, seeds, byNormal } of scipy.seedsToSeparate) {
      expect(seedsToSeparate({ mean, within: variance }, 1)).toBe(seeds);
      expect(seeds).toBeGreaterThan(byNormal);
    }
  });
});

describe("intervals", () => {
  test("over seeds and over competitions are scipy's t intervals with the pooled and the competitions' spread", () => {
    for (const { values, low, high } of scipy.overSeeds) {
      const found = overSeedsInterval(values)!;
      expect([found.low, found.high]).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
    }
    for (const { values, low, high } of scipy.overCompetitions) {
      const found = overCompetitionsInterval(values)!;
      expect([found.low, found.high]).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
    }
  });

  test("none has no width: where nothing varied there is none, and rates that all agree keep one", () => {
    expect(overSeedsInterval([[50]])).toBeNull();
    expect(overSeedsInterval([[40, 40, 40]])).toBeNull();
    expect(overCompetitionsInterval([[0], [0], [0]])).toBeNull();
    const certain = rateInterval(new Array(22).fill(100))!;
    expect(certain.high).toBe(100);
    expect(certain.low).toBeGreaterThan(75);
    expect(certain.low).toBeLessThan(90);
    expect(rateInterval(new Array(22).fill(0))!.low).toBe(0);
  });

  test("seeds whose means coincide still have the spread of their runs", () => {
    const values = [
      [100, 0, 0],
      [0, 100, 0],
      [0, 0, 100],
    ];
    const { low, high } = overSeedsInterval(values)!;
    expect(high - low).toBeGreaterThan(50);
  });

  test("a rate's interval lies in 0 to 100 around the rate, and has a width", () => {
    const rates = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(rates, (thirds) => {
        const values = thirds.map((count) => (100 * count) / 3);
        const { low, high } = rateInterval(values)!;
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(100);
        expect(low).toBeLessThanOrEqual(mean + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean - 1e-9);
        expect(high - low).toBeGreaterThan(1);
      }),
    );
  });
});

describe("pass@k", () => {
  test("equals the share of all choices of k attempts that hold a success", () => {
    const attempts = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(attempts, fc.integer({ min: 1, max: 8 }), (results, k) => {
        const expected = k > results.length ? null : shareWithSuccess(results, k);
        const got = passAtK(results.length, results.filter(Boolean).length, k);
        if (expected === null) expect(got).toBeNull();
        else expect(got).toBeCloseTo(expected, 12);
      }),
    );
  });

  test("is offered up to the number of attempts that every competition has", () => {
    const curve = passCurve([
      { attempts: 3, successes: 1 },
      { attempts: 2, successes: 2 },
    ]);
    expect(curve.map(({ k }) => k)).toEqual([1, 2]);
    expect(curve[0].rate).toBeCloseTo((1 / 3 + 1) / 2, 12);
  });
});

describe("the paired test", () => {
  test("has scipy's exact distribution, equal sums counted by half", () => {
    for (const { sums, midP } of scipy.flips) expect(signFlipTest(sums)).toBeCloseTo(midP, 12);
  });

  test("no difference at all is never significant, a constant one is", () => {
    expect(signFlipTest([0, 0, 0])).toBe(1);
    expect(signFlipTest(new Array(20).fill(1))).toBeLessThan(0.001);
  });

  test("flipping at random, beyond what can be tried out, gives about the exact value", () => {
    const many = [3, -1, 2, 2, -2, 1, 1, 3, -1, 2, 1, -1, 2, 1];
    const exact = signFlipTest(many);
    expect(Math.abs(signFlipTest([...many, 1e-7, -1e-7]) - exact)).toBeLessThan(0.015);
  });

  test("Holm multiplies the smallest by the number of tests, the next by one less, and never falls", () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.5, 0.9])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

// The full simulation (five campaigns, more repetitions, the bands of the docs) is `npm run soak -- statistics`.
describe("in simulated campaigns of 22 competitions × 3 seeds", () => {
  test("every printed interval holds the truth about 95 times in a hundred", () => {
    for (const [interval, share] of Object.entries(
      coverage({ competitions: 22, seeds: 3, repetitions: 400 }),
    )) {
      expect(share, interval).toBeGreaterThan(0.91);
      expect(share, interval).toBeLessThan(0.985);
    }
  });

  test("equals are found different about once in twenty, also when they are equal on average only", () => {
    const found = falsePositives({ competitions: 22, seeds: 3, repetitions: 400 });
    for (const [who, rate] of Object.entries(found)) {
      expect(rate, who).toBeGreaterThan(0.015);
      expect(rate, who).toBeLessThan(0.08);
    }
  });

  test("a true difference is found as often as the planner promises", () => {
    const { promised, found } = promisedAndFound({ competitions: 22, seeds: 3, repetitions: 400 }, 0.2);
    expect(Math.abs(found - promised)).toBeLessThan(0.08);
    expect(separatedHere({ competitions: 22, repetitions: 300 }, 0.2).found).toBeGreaterThan(0.73);
  });
});

function shareWithSuccess(results: boolean[], k: number): number {
  let all = 0;
  let good = 0;
  for (let choice = 0; choice < 2 ** results.length; choice++) {
    const chosen = results.filter((_, i) => (choice >> i) & 1);
    if (chosen.length !== k) continue;
    all++;
    if (chosen.some(Boolean)) good++;
  }
  return good / all;
}
