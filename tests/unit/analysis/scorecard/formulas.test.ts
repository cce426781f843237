import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bandOf,
  efficiency,
  mappedPercentile,
  overallOf,
  reproducibility,
  taskQuality,
  twoDecimals,
} from "../../../../src/analysis/scorecard/formulas.ts";
import { capped } from "../../../../src/analysis/scorecard/unit.ts";

const TASK = { valid: 1, percentile: 0.8, metrics: 1, report: 1 } as const;
const GOOD = {
  quality: taskQuality(TASK, "percentile"),
  efficiency: efficiency(3847 / 86_400, 16_384 / 450_560),
  reproducibility: reproducibility({ seedAgrees: true, seed: 1, environment: 1, replay: 0.5 }),
  operations: 100,
};

describe("the worked example", () => {
  test("gives 80.00, 97.98, 83.33 and 100, and 86.20 overall, in the top band", () => {
    expect(Object.values(GOOD).map(twoDecimals)).toEqual([80, 97.98, 83.33, 100]);
    expect(twoDecimals(overallOf(GOOD))).toBe(86.2);
    expect(bandOf(86.2)).toBe("top");
  });

  test("without its result line is 67.70, capped to 39.99, in the low band", () => {
    const computed = overallOf({ ...GOOD, reproducibility: 0, operations: 60 });
    expect(twoDecimals(computed)).toBe(67.7);
    expect(capped(computed, "missing", true).overall).toBe(39.99);
    expect(bandOf(39.99)).toBe("low");
  });

  test("without any submission is 0", () => {
    expect(capped(50, "ok", false).overall).toBe(0);
  });
});

describe("formulas", () => {
  test("the calibrated map goes through its four points, and a quarter and three quarters make 70 and 85", () => {
    expect([0, 0.25, 0.75, 1].map((share) => mappedPercentile(share, "calibrated"))).toEqual([
      0, 0.4545, 0.7273, 1,
    ]);
    const perfect = (share: number) => 45 + 55 * mappedPercentile(share, "calibrated");
    expect(perfect(0.25)).toBeCloseTo(70, 2);
    expect(perfect(0.75)).toBeCloseTo(85, 2);
  });

  test("going over either budget leaves no efficiency; using up both leaves the half for compliance", () => {
    expect([efficiency(1.001, 0), efficiency(0, 1.001)]).toEqual([0, 0]);
    expect([efficiency(1, 1), efficiency(0, 0)]).toEqual([50, 100]);
  });

  test("a wrong seed is not reproducible, whatever else is right", () => {
    expect(reproducibility({ seedAgrees: false, seed: 1, environment: 1, replay: 1 })).toBe(0);
  });

  test("without replay the other two checks share the dimension", () => {
    expect(reproducibility({ seedAgrees: true, seed: 1, environment: 1, replay: null })).toBe(100);
  });

  test("bands end where they are said to end", () => {
    expect([0, 39.99, 40, 70, 70.01, 85, 85.01, 100].map(bandOf)).toEqual([
      "low",
      "low",
      "developing",
      "developing",
      "competitive",
      "competitive",
      "top",
      "top",
    ]);
  });

  test("quality and efficiency stay between 0 and 100 and never fall when something gets better", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const degree = fc.constantFrom(0, 0.5, 1) as fc.Arbitrary<0 | 0.5 | 1>;
    fc.assert(
      fc.property(
        share,
        share,
        degree,
        degree,
        fc.constantFrom("percentile", "calibrated"),
        (a, b, m, r, map) => {
          const quality = (percentile: number) =>
            taskQuality({ valid: 1, percentile, metrics: m, report: r }, map as "percentile");
          expect(quality(Math.max(a, b))).toBeGreaterThanOrEqual(quality(Math.min(a, b)));
          expect(quality(1)).toBeLessThanOrEqual(100 + 1e-9);
          expect(efficiency(Math.min(a, b), 0.5)).toBeGreaterThanOrEqual(efficiency(Math.max(a, b), 0.5));
        },
      ),
    );
  });
});
