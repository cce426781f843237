import { expect, test } from "vitest";
import { roundHalfEven, roundNumpy, roundPython } from "../../../src/metrics/arithmetic/rounding.ts";

// value, Python's round(value, 5), numpy's round(value, 5); recorded from both.
const recorded: [number, number, number][] = [
  [0.123455, 0.12345, 0.12346],
  [0.000005, 0.00001, 0],
  [0.999995, 0.99999, 1],
  [0.015625, 0.01562, 0.01562],
  [-0.015625, -0.01562, -0.01562],
  [3 / 64, 0.04688, 0.04688],
  [3 / 320, 0.00937, 0.00938],
  [-0.123455, -0.12345, -0.12346],
  [1e-9, 0, 0],
  [-1e-9, -0, -0],
  [-0, -0, -0],
  [2.5, 2.5, 2.5],
  [0.000015, 0.00002, 0.00002],
  [10 / 400_000, 0.00003, 0.00002],
  [393_010 / 400_000, 0.98252, 0.98252],
  [0.1234549999, 0.12345, 0.12345],
  [1000.109375, 1000.10938, 1000.10938],
  [100000.000005, 100000, 100000],
  [123456.789012345, 123456.78901, 123456.78901],
  [1e16, 1e16, 1e16],
  [1e22, 1e22, 1e22],
];

test.each(recorded)("%f rounds to %f in Python and to %f in numpy", (value, python, numpy) => {
  expect(roundPython(value)).toBe(python);
  expect(roundNumpy(value)).toBe(numpy);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("%f passes through", (value) => {
  expect(roundPython(value)).toBe(value);
  expect(roundNumpy(value)).toBe(value);
});

test("halves go to the even neighbour and a vanishing negative keeps its sign", () => {
  expect([0.5, 1.5, 2.5, -0.5, -1.5, 2 ** 53].map(roundHalfEven)).toEqual([0, 2, 2, -0, -2, 2 ** 53]);
});
