import fc from "fast-check";
import { expect, test } from "vitest";
import { readUniversalLines } from "../../../../src/competitions/billion-word-imputation/universal-lines.ts";
import { workshop } from "../preparing/workshop.ts";

function linesOf(text: string): string[] {
  const { preparation } = workshop({ "lines.txt": text });
  return Array.from(readUniversalLines(`${preparation.raw}/lines.txt`), ({ bytes }) => bytes.toString());
}

test("every kind of line end becomes a line feed, and a last line without one stays without", () => {
  expect(linesOf("a\r\nb\rc\nd")).toEqual(["a\n", "b\n", "c\n", "d"]);
  expect(linesOf("a\r\r\n\n\r")).toEqual(["a\n", "\n", "\n", "\n"]);
  expect(linesOf("")).toEqual([]);
});

test("lines are those of the text with its line ends replaced", () => {
  const text = fc.array(fc.constantFrom("\r", "\n", "\u2028", "x", "é"), { maxLength: 12 });
  fc.assert(
    fc.property(text, (parts) => {
      const translated = parts.join("").replaceAll(/\r\n?/g, "\n");
      expect(linesOf(parts.join(""))).toEqual(translated.match(/[^\n]*\n|[^\n]+/g) ?? []);
    }),
  );
});
