import { expect, test } from "vitest";
import { nextDouble, nextWord } from "../../../src/random/mt19937.ts";
import { randomState } from "../../../src/random/numpy-legacy.ts";
import { pythonRandom } from "../../../src/random/python-random.ts";

test.each([
  [0, [2357136044, 2546248239, 3071714933, 3626093760, 2588848963]],
  [8, [3751350723, 47736148, 4159850481, 1028385129, 3733162117]],
  [42, [1608637542, 3421126067, 4083286876, 787846414, 3143890026]],
])("numpy's generator with seed %i starts with the recorded words", (seed, expected) => {
  const generator = randomState(seed);
  expect(expected.map(() => nextWord(generator))).toEqual(expected);
});

test.each([
  [0, [3626764237, 1654615998, 3255389356, 3823568514, 1806341205]],
  [42, [2746317213, 478163327, 107420369, 3184935163, 1181241943]],
  [-42, [2746317213, 478163327, 107420369]],
  [2 ** 32, [485306839, 1508871100, 1794561286]],
  [2n ** 70n + 5n, [2004888747, 1674612923, 2039552273]],
])("Python's generator with seed %s starts with the recorded words", (seed, expected) => {
  const generator = pythonRandom(seed);
  expect(expected.map(() => nextWord(generator))).toEqual(expected);
});

test("doubles take two words, the same way in both libraries", () => {
  const numpy = randomState(0);
  const uniform = [0.5488135039273248, 0.7151893663724195, 0.6027633760716439, 0.5448831829968969];
  expect(uniform.map(() => nextDouble(numpy))).toEqual(uniform);
  const python = pythonRandom(0);
  const random = [0.8444218515250481, 0.7579544029403025, 0.420571580830845];
  expect(random.map(() => nextDouble(python))).toEqual(random);
});
