import fc from "fast-check";
import { expect, test } from "vitest";
import { lastDigitChange } from "../../../../src/table/cells/shortest-decimal.ts";

const MAX_DIGITS = 2 ** 53 - 1;

/** The digits of the shortest text as a whole number of `decimals` decimals. */
function shortest(digits: number, decimals: number): bigint {
  const [mantissa, exponent] = (digits / 10 ** decimals).toExponential().split("e");
  const figures = mantissa.replace(".", "");
  const shift = Number(exponent) - (figures.length - 1) + decimals;
  return BigInt(figures) * 10n ** BigInt(shift);
}

test("the changed last digit gives the shortest text of the double", () => {
  const digits = fc.integer({ min: 10 ** 15, max: MAX_DIGITS }).filter((n) => n % 10 !== 0);
  fc.assert(
    fc.property(digits, fc.integer({ min: 1, max: 16 }), (n, decimals) => {
      const change = lastDigitChange(n, 10 ** decimals);
      if (change !== null) expect(BigInt(n) + BigInt(change)).toBe(shortest(n, decimals));
    }),
    { numRuns: 20_000 },
  );
});

test("where doubles are sparser than decimals the last digit does change, and a shorter text is left alone", () => {
  const changes = new Set(
    Array.from({ length: 90 }, (_, i) => 7_398_738_000_000_001 + i)
      .filter((digits) => digits % 10 !== 0)
      .map((digits) => lastDigitChange(digits, 1e14)),
  );
  expect(changes).toEqual(new Set([0, 1, -1, null]));
});
