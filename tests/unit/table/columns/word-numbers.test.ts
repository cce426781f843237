import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textColumn } from "../../../../src/table/columns/make-column.ts";
import { numberWords } from "../../../../src/table/columns/word-numbers.ts";
import { words } from "../../../../src/table/python-text.ts";

// White space of each width, its neighbours that are none, and letters of one to four bytes.
const characters =
  "\t\n\r\x1c\x1f \x85\xa0\u1680\u2000\u200a\u2028\u202f\u205f\u3000\x0e\x1b\u0084\u200b\ufeff\u3001aéあ😀";
const text = fc.array(fc.constantFrom(...characters), { maxLength: 12 }).map((list) => list.join(""));

function numbersOf(texts: string[]): number[][] {
  const store = textColumn("", texts).texts!;
  const numbers = numberWords();
  return texts.map((_, row) => {
    const found: number[] = [];
    numbers.add(store, row, (word) => found.push(word));
    return found;
  });
}

describe("words of texts", () => {
  it("are cut and told apart as Python's split() does it", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const seen = [...new Set(texts.flatMap(words))];
        expect(numbersOf(texts)).toEqual(texts.map((cell) => words(cell).map((word) => seen.indexOf(word))));
      }),
    );
  });

  it("keep their numbers however many there are", () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => `w${i} w0`);
    expect(numbersOf(texts)).toEqual(texts.map((_, i) => [i, 0]));
  });

  it("are passed over when they are only looked for and unknown", () => {
    const store = textColumn("", ["a b", "b c a"]).texts!;
    const numbers = numberWords();
    const found: number[] = [];
    numbers.add(store, 0, () => {});
    numbers.find(store, 1, (word) => found.push(word));
    expect([found, numbers.size]).toEqual([[1, 0], 2]);
  });
});
