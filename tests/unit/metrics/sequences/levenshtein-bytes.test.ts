import fc from "fast-check";
import { expect, it } from "vitest";
import { levenshtein, levenshteinOfBytes } from "../../../../src/metrics/sequences/levenshtein.ts";

const range = (text: string) => {
  const bytes = Buffer.from(`<${text}>`, "utf8");
  return { bytes, start: 1, end: bytes.length - 1 };
};

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 80 }),
  fc.string({ unit: fc.constantFrom("a", "b", "é", "è", "漢", "😀"), maxLength: 20 }),
);

it("the distance of two byte ranges is that of their texts, or is left to the texts", () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const quick = levenshteinOfBytes(range(a), range(b));
      if (quick !== null) expect(quick).toBe(levenshtein(a, b));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII starts at NUL
      else expect(a + b).not.toMatch(/^[\x00-\x7f]*$/);
    }),
  );
});

it("characters of several bytes that both texts share do not need the slow way", () => {
  expect(levenshteinOfBytes(range("größe 1"), range("größe 22"))).toBe(2);
  expect(levenshteinOfBytes(range("é"), range("è"))).toBe(null);
});
