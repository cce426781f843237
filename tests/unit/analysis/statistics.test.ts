import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passAtK, passCurve } from "../../../src/analysis/aggregate/pass-at-k.ts";
import { signFlipTest } from "../../../src/analysis/compare/paired-test.ts";
import { bootstrapInterval, studentInterval } from "../../../src/analysis/statistics/intervals.ts";
import { studentDistribution, studentQuantile } from "../../../src/analysis/statistics/student-t.ts";
import { coverage, falsePositiveRate } from "./simulation.ts";

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

  test("a single value has no interval, and equal values have one of no width", () => {
    expect(studentInterval([50])).toBeNull();
    expect(studentInterval([40, 40, 40])).toEqual({ low: 40, high: 40 });
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

describe("resampling", () => {
  test("the same values give the same interval twice", () => {
    const values = [
      [0, 100, 0, 0, 100],
      [100, 100, 100, 0, 100],
      [0, 0, 0, 0, 0],
    ];
    expect(bootstrapInterval(values)).toEqual(bootstrapInterval(values));
  });

  test("no difference at all is never significant, a constant one is", () => {
    expect(signFlipTest([0, 0, 0])).toBe(1);
    expect(signFlipTest(new Array(20).fill(1))).toBeLessThan(0.001);
  });

  // The full simulation (more repetitions, a narrower band) runs in `npm run soak`.
  test("95 % intervals cover about 95 % of the time at 20 competitions × 5 seeds", () => {
    const { overSeeds, overBoth } = coverage({ repetitions: 300, resamples: 400 });
    expect(overSeeds).toBeGreaterThan(0.91);
    expect(overBoth).toBeGreaterThan(0.91);
    expect(overBoth).toBeLessThan(0.99);
  });

  test("the paired test finds a difference between equals about once in twenty", () => {
    const rate = falsePositiveRate({ repetitions: 400, permutations: 400 });
    expect(rate).toBeLessThan(0.085);
    expect(rate).toBeGreaterThan(0.015);
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
