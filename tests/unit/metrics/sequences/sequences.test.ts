import { expect, test } from "vitest";
import { countInversions } from "../../../../src/metrics/sequences/inversions.ts";
import { levenshtein, levenshteinOf } from "../../../../src/metrics/sequences/levenshtein.ts";

test.each([
  ["", "", 0],
  ["", "abc", 3],
  ["kitten", "sitting", 3],
  ["the cat sat .", "the cat .", 4],
  ["héllo wörld 😀 !", "héllo wörld !", 2],
  ["InChI=1S/H2O/h1H2", "nan", 16],
  ["😀😁😂", "😀x😂", 1],
  ["a".repeat(100), "b".repeat(70), 100],
  [`${"ab".repeat(50)}x`, `y${"ab".repeat(50)}`, 2],
])("%j and %j are %d edits apart", (a, b, expected) => {
  expect(levenshtein(a, b)).toBe(expected);
  expect(levenshtein(b, a)).toBe(expected);
});

test("one distance leaves nothing behind for the next", () => {
  const long = Array.from({ length: 3000 }, (_, i) => String.fromCodePoint(0x10000 + i)).join("");
  expect(levenshtein(long, "abc")).toBe(3000);
  expect(levenshtein("kitten", "sitting")).toBe(3);
  expect(levenshtein("abc", "abd")).toBe(1);
});

test("integer lists compare by value, whatever its size", () => {
  expect(levenshteinOf([5, -1, 2 ** 40], [5, 2 ** 40])).toBe(1);
  expect(levenshteinOf([], [1, 2])).toBe(2);
  expect(levenshteinOf(Int32Array.of(1, 2, 3), [3, 2, 1])).toBe(2);
  expect(
    levenshteinOf(
      Array.from({ length: 70_000 }, (_, i) => i),
      [0, 1, 69_999],
    ),
  ).toBe(69_997);
});

test("inversions count pairs in the wrong order", () => {
  expect(countInversions(Int32Array.of(0, 2, 1))).toBe(1);
  expect(countInversions(Int32Array.of(3, 2, 1, 0))).toBe(6);
  expect(countInversions(Int32Array.of(1, 1, 1))).toBe(0);
  expect(countInversions(Int32Array.of())).toBe(0);
});

test("more inversions than 32 bits hold are exact", () => {
  const count = 100_000;
  expect(countInversions(Int32Array.from({ length: count }, (_, i) => -i))).toBe((count * (count - 1)) / 2);
});

test("counting inversions leaves the ranks as they were", () => {
  const ranks = Int32Array.of(2, 1, 0);
  countInversions(ranks);
  expect(Array.from(ranks)).toEqual([2, 1, 0]);
});
