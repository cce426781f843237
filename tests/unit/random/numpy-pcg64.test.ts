import { expect, test } from "vitest";
import { roundHalfEven } from "../../../src/metrics/arithmetic/rounding.ts";
import { defaultRng, pcgDouble, pcgUniform, pcgWeightedChoice } from "../../../src/random/numpy-pcg64.ts";

test("seed 0 gives the recorded state and increment", () => {
  const { state, increment } = defaultRng(0);
  expect(state.toString(16)).toBe("1aa1b5345996452d09585eb7a69561e3");
  expect(increment.toString(16)).toBe("418ddadb3af71a82588133bc447873a9");
});

test.each([
  [
    0,
    [
      0.6369616873214543, 0.2697867137638703, 0.04097352393619469, 0.016527635528529094, 0.8132702392002724,
      0.9127555772777217,
    ],
  ],
  [12345, [0.22733602246716966, 0.31675833970975287, 0.7973654573327341, 0.6762546707509746]],
  [2 ** 40 + 7, [0.829812891829413, 0.25530515834910417, 0.15379071585298754, 0.6745045458676086]],
])("doubles with seed %i are numpy's", (seed, expected) => {
  const generator = defaultRng(seed);
  expect(expected.map(() => pcgDouble(generator))).toEqual(expected);
});

test("uniform scores between 1 and 100, rounded to cents, are the recorded ones", () => {
  const generator = defaultRng(0);
  const expected = [64.06, 27.71, 5.06, 2.64, 81.51, 91.36, 61.06, 73.22];
  expect(expected.map(() => roundHalfEven(pcgUniform(generator, 1, 100) * 100) / 100)).toEqual(expected);
});

test("a choice of nine to one picks the rare label at the recorded draws", () => {
  const generator = defaultRng(0);
  const draws = Array.from({ length: 74 }, () => pcgWeightedChoice(generator, [0.9, 0.1]));
  expect(draws.flatMap((label, i) => (label === 1 ? [i] : []))).toEqual([5, 9, 26, 27, 38, 67, 71, 73]);
});

test("a choice among four weights is numpy's", () => {
  const generator = defaultRng(3);
  const expected = [0, 1, 3, 2, 0, 2, 2, 1, 3, 1, 2, 2, 2, 2, 3];
  expect(expected.map(() => pcgWeightedChoice(generator, [0.1, 0.2, 0.3, 0.4]))).toEqual(expected);
});
