import { describe, expect, test } from "vitest";
import { intersection, parseRuns, type Runs } from "../../../../src/metrics/pictures/run-length.ts";

function runs(text: string, size = 20): Runs {
  const parsed = parseRuns(text, size);
  if ("error" in parsed) throw new Error(`${parsed.error} at ${parsed.token}`);
  return parsed;
}

describe("reading a mask", () => {
  test("starts count from one and touching runs are allowed", () => {
    expect(runs("1 3 4 2")).toEqual({ starts: [0, 3], ends: [3, 5], pixels: 5 });
  });

  test("a blank text is an empty mask", () => {
    for (const text of ["", "   ", "\t\u00a0"]) expect(runs(text).pixels).toBe(0);
  });

  test("what lies beyond the image is cut off silently", () => {
    expect(runs("19 50 30 2 31 1")).toEqual({ starts: [18], ends: [20], pixels: 2 });
    expect(runs("1 1000000000000000000000").pixels).toBe(20);
  });

  test("runs outside the image cannot overlap", () => {
    expect(runs("19 50 21 5 21 5").pixels).toBe(2);
  });

  test("one token is an empty mask, three share the middle one as length", () => {
    expect(runs("7").pixels).toBe(0);
    expect(runs("1 3 10")).toEqual({ starts: [0, 9], ends: [3, 12], pixels: 6 });
  });

  test("Python's integer spellings are accepted", () => {
    expect(runs("+1\t1_0\u2003１２ 2")).toEqual({ starts: [0, 11], ends: [10, 13], pixels: 12 });
  });

  test.each([
    ["1 3 5 2 9", "odd-count", "9"],
    ["1 3 10 2 15 1 16", "odd-count", "16"],
    ["0 3", "start-not-positive", "0"],
    ["0", "start-not-positive", "0"],
    ["-4 3", "start-not-positive", "-4"],
    ["1 0", "length-not-positive", "0"],
    ["30 0", "length-not-positive", "0"],
    ["10 2 5 1", "unsorted", "5"],
    ["9007199254740993 1 9007199254740992 1", "unsorted", "9007199254740992"],
    ["1 3 3 1", "overlap", "3"],
    ["5 1 5 1", "overlap", "5"],
    ["1 3 2", "overlap", "2"],
    ["1 3.0", "not-an-integer", "3.0"],
    ["1 x", "not-an-integer", "x"],
    ["1,3", "not-an-integer", "1,3"],
  ])("%j is refused and names the rule and the token", (text, error, token) => {
    expect(parseRuns(text, 20)).toEqual({ error, token });
  });
});

test("an intersection counts shared pixels, also in a gigapixel image", () => {
  const gigapixel = 3_000_000_000;
  expect(intersection(runs("1 2999999999", gigapixel), runs("2 5 2999999998 90", gigapixel))).toBe(7);
  expect(intersection(runs("1 3 10 5"), runs(""))).toBe(0);
});

test("two hundred thousand small masks are read in well under a second", () => {
  const started = performance.now();
  let pixels = 0;
  for (let i = 0; i < 200_000; i++) pixels += runs(`${1 + (i % 7)} 3 100 20 400 11 9000 4`, 10_201).pixels;
  expect(pixels).toBe(200_000 * 38);
  expect(performance.now() - started).toBeLessThan(2_000);
});
