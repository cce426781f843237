import { expect, test } from "vitest";
import { bootstrapInterval } from "../../../src/analysis/statistics/intervals.ts";

const flags = (successes: number, attempts: number) =>
  Array.from({ length: attempts }, (_, i) => (i < successes ? 100 : 0));

test("flags, which are drawn by their count, give the interval that drawing seed by seed gives", () => {
  const competitions = [0, 1, 2, 3, 5, 8, 8, 4].map((successes) => flags(successes, 8));
  // A third value, all but equal to the second, keeps the general way of drawing.
  const general = competitions.map((values) =>
    values.includes(0) ? [...values.slice(0, -1), values.at(-1)! + 1e-9] : values,
  );
  const quick = bootstrapInterval(competitions, 40_000);
  const slow = bootstrapInterval(general, 40_000);
  expect(Math.abs(quick.low - slow.low)).toBeLessThan(1.6);
  expect(Math.abs(quick.high - slow.high)).toBeLessThan(1.6);
});

test("one competition's interval is the binomial's, also with so many seeds that its ends underflow", () => {
  const { low, high } = bootstrapInterval([flags(10_000, 20_000)], 20_000);
  const reach = (1.96 * 50) / Math.sqrt(20_000);
  expect(low).toBeCloseTo(50 - reach, 1);
  expect(high).toBeCloseTo(50 + reach, 1);
});

test("competitions that never vary leave only the choice of competitions", () => {
  expect(bootstrapInterval([flags(5, 5), flags(5, 5)])).toEqual({ low: 100, high: 100 });
  expect(bootstrapInterval([flags(0, 5)])).toEqual({ low: 0, high: 0 });
});
