import { expect, test } from "vitest";
import { numpyMean, numpyMeanOf, numpySum } from "../../../src/metrics/arithmetic/numpy-sum.ts";

const sequence = (count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => ((i * 7919) % 10007) / 10007);

// Recorded from numpy, in blocks of 8192; a plain loop differs for 127, 129, 1000, 8192 and 8193.
test.each([
  [0, 0],
  [1, 0],
  [7, 3.6182672129509337],
  [8, 4.157689617267912],
  [9, 4.488458079344459],
  [127, 63.559808134305975],
  [128, 64.06075746977116],
  [129, 64.3530528629959],
  [1000, 500.355850904367],
  [8192, 4096.130108923753],
  [8193, 4096.837014090137],
  [20000, 9999.091336064754],
])("the sum of %d values has the bits numpy gives it", (count, expected) => {
  const values = sequence(count);
  expect(numpySum(values)).toBe(expected);
  if (count > 0) expect(numpyMeanOf(count, (i) => values[i])).toBe(expected / count);
});

test("the mean of nothing is NaN", () => {
  expect(numpyMean(new Float64Array())).toBeNaN();
  expect(numpyMeanOf(0, () => 1)).toBeNaN();
});
