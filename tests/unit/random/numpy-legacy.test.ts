import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { nextDouble } from "../../../src/random/mt19937.ts";
import {
  choiceWithoutReplacement,
  interval,
  permutation,
  randint,
  randomState,
  shuffle,
} from "../../../src/random/numpy-legacy.ts";

const permuted = (seed: number, count: number) => [...permutation(randomState(seed), count)];

test("bounded integers are drawn by masked rejection", () => {
  const generator = randomState(0);
  const expected = [559, 629, 192, 359, 9, 277, 599, 70, 472, 600];
  expect(expected.map(() => randint(generator, 0, 676))).toEqual(expected);
});

test("essay scores from 1 to 6 with seed 42 come out as recorded", () => {
  const generator = randomState(42);
  const expected = [4, 5, 3, 5, 5, 2, 3, 3, 3, 5, 4, 3, 6, 5, 2, 4, 6, 6, 2, 4];
  expect(expected.map(() => randint(generator, 1, 7))).toEqual(expected);
});

test("uniform numbers and integers interleave in one stream", () => {
  const generator = randomState(0);
  const drawn = [3, 4, 10, 25, 40].map((w) => [nextDouble(generator), randint(generator, 1, w - 1)]);
  expect(drawn).toEqual([
    [0.5488135039273248, 1],
    [0.7151893663724195, 2],
    [0.8579456176227568, 8],
    [0.4236547993389047, 22],
    [0.3843817072926998, 24],
  ]);
});

test("a range of one value consumes nothing", () => {
  const generator = randomState(0);
  expect([randint(generator, 5, 6), randint(generator, 5, 6), interval(generator, 0)]).toEqual([5, 5, 0]);
  expect([0, 1, 2].map(() => randint(generator, 0, 100))).toEqual([44, 47, 64]);
});

test("the largest seed and ranges beyond 31 bits stay unsigned", () => {
  const generator = randomState(4294967295);
  expect([0, 1, 2].map(() => randint(generator, 0, 2 ** 31 - 1))).toEqual([419326371, 479346978, 1771170828]);
  expect([...permutation(generator, 7)]).toEqual([6, 3, 5, 1, 2, 0, 4]);
  expect(interval(randomState(0), 4294967295)).toBe(2357136044);
});

test.each([
  [0, [2, 8, 4, 9, 1, 6, 7, 3, 0, 5]],
  [8, [8, 6, 9, 0, 2, 5, 7, 1, 4, 3]],
  [42, [8, 1, 5, 0, 7, 2, 9, 4, 3, 6]],
])("the permutation of ten with seed %i is the recorded one", (seed, expected) => {
  expect(permuted(seed, 10)).toEqual(expected);
});

test("longer permutations are the recorded ones", () => {
  expect(permuted(0, 1000).slice(0, 10)).toEqual([993, 859, 298, 553, 672, 971, 27, 231, 306, 706]);
  const generator = randomState(0);
  const bytes = new Uint8Array(permutation(generator, 100_000).buffer);
  expect(createHash("md5").update(bytes).digest("hex")).toBe("cbec721a33eb5cb0eea03a6968806a76");
  expect(randint(generator, 0, 1e9)).toBe(257557778);
});

test.each([
  [2, [1, 0]],
  [3, [2, 1]],
  [4, [2, 3]],
  [5, [2, 0]],
  [6, [5, 2]],
  [7, [6, 2]],
  [8, [6, 2]],
  [9, [7, 2]],
  [10, [2, 8]],
  [11, [4, 9]],
  [12, [6, 11]],
  [13, [6, 11]],
  [14, [8, 6]],
  [15, [1, 6]],
  [16, [1, 6]],
  [810, [613, 202]],
])("the first two of %i items with seed 0 are the recorded pair", (count, pair) => {
  expect([...choiceWithoutReplacement(randomState(0), count, 2)]).toEqual(pair);
});

test("permutations of nothing and of one item exist", () => {
  expect(permuted(0, 0)).toEqual([]);
  expect(permuted(0, 1)).toEqual([0]);
});

test("a list is shuffled in place", () => {
  const letters = [..."abcdefgh"];
  shuffle(randomState(0), letters);
  expect(letters.join("")).toBe("gcbhdafe");
});
