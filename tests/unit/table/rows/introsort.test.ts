import { expect, test } from "vitest";
import { introsortOrder } from "../../../../src/table/rows/introsort.ts";

const orderOf = (keys: number[]): string =>
  introsortOrder(keys.length, (a, b) => keys[a] < keys[b]).join(" ");

// The expected orders are recorded from numpy.argsort on text keys.
test("equal keys come out in the order numpy leaves them in", () => {
  const keys = Array.from({ length: 50 }, (_, i) => (i * i * 7 + 3 * i) % 11);
  expect(orderOf(keys)).toBe(
    "0 44 42 33 31 9 22 11 20 46 40 35 29 18 24 2 13 7 15 4 38 37 5 27 26 49 48 16 43 21 10 32 14 47 28 3 39 17 36 6 25 19 30 41 8 34 23 45 1 12",
  );
});

test("keys that defeat the pivot choice are heap-sorted as numpy does", () => {
  const keys =
    "0 42 1 42 2 41 3 41 4 40 5 40 6 39 7 39 8 38 9 38 10 37 11 37 12 13 60 58 59 58 57 57 56 56 55 55 54 54 53 53 52 52 51 51 50 50 49 49 48 48 47 47 46 46 45 45 44 44 43 0 1 2 3 4 5 6 7 8 9 10 11 12 36 36 35 35 34 34 33 33 32 32 31 31 30 30 29 29 28 28 27 27 26 26 25 25 24 24 23 23 22 22 21 21 20 20 19 19 18 18 17 17 16 16 15 15 14 14 43 13";
  const expected =
    "0 59 2 60 4 61 6 62 8 63 10 64 12 65 14 66 16 67 18 68 20 69 22 70 24 71 119 25 117 116 114 115 112 113 110 111 109 108 107 106 105 104 103 102 100 101 98 99 96 97 94 95 92 93 91 90 89 88 87 86 85 84 83 82 81 80 79 78 77 76 75 74 73 72 23 21 19 17 15 13 11 9 7 5 3 1 118 58 56 57 55 54 53 52 51 50 49 48 47 46 45 44 43 42 40 41 39 38 37 36 35 34 32 33 31 30 29 27 28 26";
  expect(orderOf(keys.split(" ").map(Number))).toBe(expected);
});

test("up to sixteen keys are sorted stably", () => {
  expect(orderOf([])).toBe("");
  expect(orderOf([7])).toBe("0");
  expect(orderOf([2, 1, 2, 1, 0])).toBe("4 1 3 0 2");
});
