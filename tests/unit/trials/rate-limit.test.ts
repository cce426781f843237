import { expect, test } from "vitest";
import { rateLimit } from "../../../src/trials/surroundings/rate-limit.ts";

test("a burst passes, then so many calls a second", () => {
  const limit = rateLimit({ burst: 3, perSecond: 0.5 });
  expect([0, 0, 0].map((now) => limit.take(now))).toEqual([null, null, null]);
  expect(limit.take(0)).toBe(2);
  expect(limit.take(1000)).toBe(1);
  expect(limit.take(2000)).toBeNull();
  expect(limit.take(2000)).toBe(2);
});

test("a long silence earns no more than a burst", () => {
  const limit = rateLimit({ burst: 2, perSecond: 10 });
  expect([1e9, 1e9, 1e9].map((now) => limit.take(now) === null)).toEqual([true, true, false]);
});
