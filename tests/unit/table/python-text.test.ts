import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { floatText, parsePythonFloat, parsePythonInt, strip, words } from "../../../src/table/python-text.ts";

// All expectations were printed by Python 3.11.

describe("words are split as by str.split()", () => {
  it.each([
    [" a\u001fb\u0085c\ufeffd\u200be\u3000 f\u0000g", ["a", "b", "c\ufeffd\u200be", "f\u0000g"]],
    ["", []],
    [
      " \t\r\n\u000b\f\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000",
      [],
    ],
    ["one", ["one"]],
    ["a  b", ["a", "b"]],
    ["a\u180eb", ["a\u180eb"]],
  ])("%j", (text, expected) => expect(words(text)).toEqual(expected));
});

describe("texts are stripped as by str.strip()", () => {
  it.each([
    ["", ""],
    ["  a b  ", "a b"],
    ["\u001ca\u001f", "a"],
    ["\ufeffa\ufeff", "\ufeffa\ufeff"],
    ["\u2007a\u3000", "a"],
    [" \u0085 ", ""],
    ["\u200ba", "\u200ba"],
  ])("%j", (text, expected) => expect(strip(text)).toEqual(expected));

  it("takes no quadratic time for blanks in the middle", () => {
    const text = `a${" ".repeat(1_000_000)}b`;
    expect(strip(text)).toBe(text);
  });
});

describe("whole numbers are read as by int()", () => {
  it.each([
    ["5", 5n],
    [" 5\n", 5n],
    ["+5", 5n],
    ["-0", 0n],
    ["007", 7n],
    ["-12", -12n],
    ["1_000", 1000n],
    ["1__0", null],
    ["_1", null],
    ["1_", null],
    ["", null],
    ["+", null],
    ["- 1", null],
    ["+-1", null],
    ["1.0", null],
    ["1e3", null],
    ["0x10", null],
    ["\u0663", 3n],
    ["\uff11\uff12", 12n],
    ["\u0663_4", 34n],
    ["\u00b2", null],
    ["\u00a05\u2003", 5n],
    ["\ufeff5", null],
    ["\ud835\udfd8\ud835\udfd9", 1n],
    ["\ud835\udfd7", 9n],
    ["\ud83a\udd50", 0n],
    ["\ud807\udf51", null],
    ["9223372036854775808", 9223372036854775808n],
    ["5 6", null],
    ["\u001c5", null],
    ["5\u001f", null],
    ["\u00855", 5n],
    ["\u22125", null],
    ["5\u0000", null],
  ])("%j", (text, expected) => expect(parsePythonInt(text)).toEqual(expected));

  it.each([
    ["4300 digits", "1".repeat(4300), true],
    ["4301 digits", "1".repeat(4301), false],
    ["4300 digits and a sign", `-${"1".repeat(4300)}`, true],
    ["4300 digits between underscores", "1".repeat(4300).split("").join("_"), true],
    ["4301 digits between underscores", "1".repeat(4301).split("").join("_"), false],
    ["4301 zeros", "0".repeat(4301), false],
    ["4301 foreign digits", "\u0661".repeat(4301), false],
  ])("%s are a number: %#", (_, text, legal) => expect(parsePythonInt(text) !== null).toBe(legal));
});

describe("numbers are read as by float()", () => {
  it.each([
    ["1", 1],
    ["1.", 1],
    ["  .5 ", 0.5],
    ["-1.5e-3", -0.0015],
    ["1E5", 100000],
    ["1e1_0", 10000000000],
    ["1_0.2_5", 10.25],
    ["1_.5", null],
    ["1._5", null],
    ["1__0", null],
    ["e5", null],
    [".", null],
    ["", null],
    ["+", null],
    ["inf", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["+INF", Number.POSITIVE_INFINITY],
    ["nan", Number.NaN],
    ["-NaN", Number.NaN],
    ["infin", null],
    ["1e999", Number.POSITIVE_INFINITY],
    ["-1e999", Number.NEGATIVE_INFINITY],
    ["1e-999", 0],
    ["-0.0", -0],
    ["0x1p3", null],
    ["1d5", null],
    ["\u0661.\u0662", 1.2],
    ["\u001c1", null],
    ["1\u001f", null],
    ["\u20031\u3000", 1],
    ["1 2", null],
    ["1,5", null],
    ["0.1000000000000000055511151231257827", 0.1],
  ])("%j", (text, expected) => expect(parsePythonFloat(text)).toEqual(expected));
});

describe("numbers are printed as by repr()", () => {
  it.each([
    [0, "0.0"],
    [-0, "-0.0"],
    [1, "1.0"],
    [-1.5, "-1.5"],
    [0.1, "0.1"],
    [0.3333333333333333, "0.3333333333333333"],
    [0.0001, "0.0001"],
    [9.999e-5, "9.999e-05"],
    [1e-5, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [1000000000000000, "1000000000000000.0"],
    [1.2345678901234568e17, "1.2345678901234568e+17"],
    [1e16, "1e+16"],
    [9999999999999998, "9999999999999998.0"],
    [1e22, "1e+22"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [5e-324, "5e-324"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NEGATIVE_INFINITY, "-inf"],
    [Number.NaN, "nan"],
    [9007199254740992, "9007199254740992.0"],
    [1e100, "1e+100"],
    [-1e-10, "-1e-10"],
  ])("%j", (value, expected) => expect(floatText(value)).toEqual(expected));

  it("prints a text that reads back as the same number", () => {
    fc.assert(fc.property(fc.double(), (value) => Object.is(parsePythonFloat(floatText(value)), value)));
  });
});
