import fc from "fast-check";
import { expect, test } from "vitest";
import { bestOfK, type OwnAttempt } from "../../../src/analysis/aggregate/best-of-k.ts";
import { passAtK } from "../../../src/analysis/aggregate/pass-at-k.ts";

const attempt = (ownScore: number | null, medal: boolean): OwnAttempt => ({ ownScore, medal });

test("with a validation score that orders attempts as their medals do, the choice earns all that is possible", () => {
  const curve = bestOfK([[attempt(3, true), attempt(2, false), attempt(1, false)]]);
  expect(curve.map(({ chosen }) => chosen)).toEqual(curve.map(({ possible }) => possible));
  expect(curve.at(-1)).toEqual({ k: 3, chosen: 1, possible: 1 });
});

test("a misleading validation score throws medals away", () => {
  const [, , all] = bestOfK([[attempt(1, true), attempt(2, false), attempt(3, false)]]);
  expect(all).toEqual({ k: 3, chosen: 0, possible: 1 });
});

test("competitions without any own score are left out, and without all of them there is no curve", () => {
  expect(bestOfK([[attempt(null, true)], [attempt(1, false)]])).toEqual([{ k: 1, chosen: 0, possible: 0 }]);
  expect(bestOfK([[attempt(null, true)]])).toEqual([]);
});

test("agrees with trying every choice of k attempts, equal scores sharing the choice", () => {
  const attempts = fc.array(
    fc.record({ ownScore: fc.option(fc.integer({ min: 0, max: 3 })), medal: fc.boolean() }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(attempts, (all) => {
      if (!all.some(({ ownScore }) => ownScore !== null)) return;
      for (const { k, chosen, possible } of bestOfK([all])) {
        expect(chosen).toBeCloseTo(byEnumeration(all, k), 10);
        expect(chosen).toBeLessThanOrEqual(possible + 1e-12);
        expect(possible).toBe(passAtK(all.length, all.filter(({ medal }) => medal).length, k));
      }
    }),
  );
});

function byEnumeration(attempts: readonly OwnAttempt[], k: number): number {
  const rates: number[] = [];
  for (let mask = 0; mask < 2 ** attempts.length; mask++) {
    const subset = attempts.filter((_, i) => mask & (1 << i));
    if (subset.length !== k) continue;
    const best = Math.max(...subset.map(({ ownScore }) => ownScore ?? -1));
    const equals = subset.filter(({ ownScore }) => (ownScore ?? -1) === best);
    rates.push(equals.filter(({ medal }) => medal).length / equals.length);
  }
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
