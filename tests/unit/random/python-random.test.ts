import { expect, test } from "vitest";
import { nextWord } from "../../../src/random/mt19937.ts";
import {
  below,
  pythonChoice,
  pythonRandint,
  pythonRandom,
  pythonSample,
  pythonShuffle,
} from "../../../src/random/python-random.ts";

test("a list is shuffled as Python does", () => {
  const items = Array.from({ length: 10 }, (_, i) => i);
  pythonShuffle(pythonRandom(0), items);
  expect(items).toEqual([7, 8, 1, 5, 3, 4, 2, 0, 9, 6]);
});

test("a choice between two takes two bits and rejects half of the words", () => {
  const generator = pythonRandom(0);
  const expected = [1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0];
  expect(expected.map(() => pythonChoice(generator, [0, 1]))).toEqual(expected);
});

test("a choice between three leaves the stream where Python leaves it", () => {
  const generator = pythonRandom(3);
  const expected = [0, 2, 2, 0, 1, 2, 1, 2, 2, 0, 2, 0];
  expect(expected.map(() => below(generator, 3))).toEqual(expected);
  expect(nextWord(generator)).toBe(3903345311);
});

test("randint includes its upper end", () => {
  const generator = pythonRandom(42);
  expect([0, 1, 2, 3, 4].map(() => pythonRandint(generator, 0, 1009))).toEqual([654, 114, 25, 759, 281]);
});

test("four samples from large populations share one stream", () => {
  const generator = pythonRandom(0);
  expect(pythonSample(generator, 40, 4)).toEqual([24, 26, 2, 16]);
  expect(pythonSample(generator, 47, 5)).toEqual([32, 31, 25, 19, 30]);
  expect(pythonSample(generator, 195, 20)).toEqual([
    91, 149, 55, 129, 35, 72, 193, 24, 158, 64, 136, 180, 154, 37, 79, 25, 186, 18, 175, 84,
  ]);
  const last = pythonSample(generator, 1990, 173);
  expect(last.slice(0, 12)).toEqual([966, 1146, 206, 724, 889, 647, 1251, 1311, 1869, 418, 1979, 1131]);
  expect(last).toHaveLength(173);
});

test("a sample of a whole small population comes from the shrinking pool", () => {
  const oneBased = pythonSample(pythonRandom(0), 20, 20).map((position) => position + 1);
  expect(oneBased).toEqual([13, 14, 2, 9, 16, 7, 20, 5, 8, 6, 10, 4, 3, 12, 18, 1, 15, 17, 19, 11]);
});

test("the way of sampling changes between 21 and 22 items, and between 85 and 86 for six of them", () => {
  const generator = pythonRandom(7);
  expect(pythonSample(generator, 21, 5)).toEqual([10, 4, 12, 1, 2]);
  expect(pythonSample(generator, 22, 5)).toEqual([17, 3, 11, 18, 1]);
  expect(pythonSample(generator, 85, 6)).toEqual([64, 27, 4, 11, 55, 53]);
  expect(pythonSample(generator, 86, 6)).toEqual([8, 30, 11, 70, 54, 7]);
});
