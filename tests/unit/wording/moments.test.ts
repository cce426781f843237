import { expect, test } from "vitest";
import { momentOf, plausible } from "../../../src/wording/moments.ts";

test.each<[string | null | undefined, number | null]>([
  ["1970-01-01T00:00:01.000Z", 1000],
  ["2026-11-19T20:00:00+00:00", Date.UTC(2026, 10, 19, 20)],
  ["9999-12-31T23:59:59.999Z", 253_402_300_799_999],
  ["+010000-01-01T00:00:00.000Z", null],
  ["1969-12-31T23:59:59.000Z", null],
  ["once", null],
  ["", null],
  [null, null],
  [undefined, null],
])("%s is the moment %s", (text, moment) => {
  expect(momentOf(text)).toBe(moment);
});

test("no number whatever is taken for a time that no format can write", () => {
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e308])
    expect(plausible(number)).toBeNull();
  expect(plausible(1.6)).toBe(2);
});
