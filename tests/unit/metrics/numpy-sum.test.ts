import { expect, test } from "vitest";
import { numpyMean, numpyMeanOf, numpyRowSums, numpySum } from "../../../src/metrics/arithmetic/numpy-sum.ts";

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

test.each([0, 1, 7, 8, 9, 15, 16, 23, 120, 128, 129, 300])(
  "the sums of rows over %d columns have the bits of each row's own sum, with NaN as 0",
  (width) => {
    const rows = 2100;
    const columns = Array.from({ length: width }, (_, i) =>
      Float64Array.from({ length: rows }, (_, row) =>
        (row * 31 + i * 17) % 29 === 0 ? Number.NaN : ((row * 7919 + i * 104729) % 10007) / 10007,
      ),
    );
    const expected = Float64Array.from({ length: width === 0 ? 0 : rows }, (_, row) =>
      numpySum(Float64Array.from(columns, (column) => (Number.isNaN(column[row]) ? 0 : column[row]))),
    );
    expect(numpyRowSums(columns)).toEqual(expected);
  },
);
