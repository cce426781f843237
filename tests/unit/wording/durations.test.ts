import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { durationText, parseDuration } from "../../../src/wording/durations.ts";

describe("a duration", () => {
  test.each([
    ["24h", 86_400],
    ["1.5 h", 5400],
    ["90min", 5400],
    ["90m", 5400],
    ["30s", 30],
    ["30", 30],
    ["2d", 172_800],
  ])("written %s is read as %d seconds", (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  test.each(["", "soon", "0", "-1h", "1h30", "1 2h", "24 hours ago", "1e3s", "11000d", "9".repeat(400)])(
    "written %j is not one",
    (text) => expect(parseDuration(text)).toBeNull(),
  );

  test.each([
    [0, "0 s"],
    [0.0204, "20 ms"],
    [1, "1 s"],
    [90, "90 s"],
    [120, "2 min"],
    [3600, "60 min"],
    [86_400, "24 h"],
    [5400.5, "90 min"],
  ])("of %d seconds is printed as %s", (seconds, text) => expect(durationText(seconds)).toBe(text));

  test("from a second on can be read again, to the three digits that are printed", () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e6, noNaN: true }), (seconds) => {
        const again = parseDuration(durationText(seconds));
        expect(Math.abs(again! - seconds) / seconds).toBeLessThan(0.0051);
      }),
    );
  });
});
