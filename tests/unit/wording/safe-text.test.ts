import fc from "fast-check";
import { expect, test } from "vitest";
import { safeBlock, safeText } from "../../../src/wording/safe-text.ts";

const ESCAPE = String.fromCharCode(27);

test.each([
  [`${ESCAPE}[32mverified${ESCAPE}[0m`, "\\u001b[32mverified\\u001b[0m"],
  ["\u009b32mverified", "\\u009b32mverified"],
  ["a\rb\u0007\u007f", "a\\u000db\\u0007\\u007f"],
  ["one\n  verified", "one\\n  verified"],
  ["\u202etxt.exe\u2066", "\\u202etxt.exe\\u2066"],
  ["half \ud800 of one", "half \\ud800 of one"],
  ["a\u{e0041}b", "a\\udb40\\udc41b"],
  ["ordinary: ü, 漢, 🙂, ±", "ordinary: ü, 漢, 🙂, ±"],
])("%j is printed as %j", (text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test("whatever the text, no control character is left, and a block keeps its lines", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(safeText(text)).not.toMatch(/\p{Cc}|\p{Cs}/u);
      expect(safeBlock(text).split("\n")).toHaveLength(text.split("\n").length);
    }),
  );
});

test("JSON stays JSON with the same meaning", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(JSON.parse(safeBlock(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});
