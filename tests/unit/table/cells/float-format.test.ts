import { expect, test } from "vitest";
import { fixedText, float32Text, generalText } from "../../../../src/table/cells/float-format.ts";

test.each([
  [0, "0.0000000000"],
  [-0, "-0.0000000000"],
  [0.3297, "0.3297000000"],
  [-2.5e3, "-2500.0000000000"],
  [1 / 2 ** 11, "0.0004882812"],
  [3 / 2 ** 11, "0.0014648438"],
  [-1 / 2 ** 11, "-0.0004882812"],
  [1e22, "10000000000000000000000.0000000000"],
  [Number.NEGATIVE_INFINITY, "-inf"],
])("%s with ten decimals is printed as Python prints it, ties to even", (value, expected) => {
  expect(fixedText(value, 10)).toBe(expected);
});

test.each([
  [0, "0"],
  [-0, "-0"],
  [100, "100"],
  [1e-5, "1e-05"],
  [0.0001, "0.0001"],
  [0.000331904715345, "0.0003319047153"],
  [5.837491705069121, "5.837491705"],
  [1234567890, "1234567890"],
  [1234567890.5, "1234567890"],
  [1234567891.5, "1234567892"],
  [12345678905, "1.23456789e+10"],
  [12345678915, "1.234567892e+10"],
  [9999999999.9, "1e+10"],
  [-1e300, "-1e+300"],
  [5e-324, "4.940656458e-324"],
  [Number.POSITIVE_INFINITY, "inf"],
])("%s with ten significant digits is printed as C prints it, ties to even", (value, expected) => {
  expect(generalText(value, 10)).toBe(expected);
});

test.each([
  [0.1, "0.1"],
  [4.9895215, "4.9895215"],
  [0.000244140625, "0.00024414062"],
  [16777216, "16777216.0"],
  [1e16, "1e+16"],
  [1e-5, "1e-05"],
  [-1.5, "-1.5"],
  [0, "0.0"],
  [1.401298464324817e-45, "1e-45"],
  [3.4028234663852886e38, "3.4028235e+38"],
])("the single-precision value nearest %s prints its shortest digits", (value, expected) => {
  expect(float32Text(Math.fround(value))).toBe(expected);
});
