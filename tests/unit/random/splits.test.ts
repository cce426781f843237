import { expect, test } from "vitest";
import { pandasSample } from "../../../src/random/pandas-sample.ts";
import { splitCategory } from "../../../src/random/per-category-split.ts";
import { type SplitSize, splitSizes, trainTestSplit } from "../../../src/random/train-test-split.ts";

function split(count: number, size: SplitSize) {
  const { train, test } = trainTestSplit(count, size, 0)!;
  return { train: [...train], test: [...test] };
}

test("small splits come out whole as recorded", () => {
  expect(split(5, { testFraction: 0.2 })).toEqual({ train: [0, 1, 3, 4], test: [2] });
  expect(split(10, { testFraction: 0.3 })).toEqual({ train: [9, 1, 6, 7, 3, 0, 5], test: [2, 8, 4] });
  expect(split(15, { trainCount: 12, testCount: 3 })).toEqual({
    test: [1, 6, 8],
    train: [9, 14, 4, 2, 13, 10, 7, 11, 3, 0, 5, 12],
  });
  expect(split(16, { testFraction: 0.1 })).toEqual({
    test: [1, 6],
    train: [8, 9, 13, 4, 2, 14, 10, 7, 15, 11, 3, 0, 5, 12],
  });
});

test("a split of 144 items matches the recorded test set", () => {
  const { train, test } = split(144, { testFraction: 0.2 });
  expect(test.join(" ")).toBe(
    "7 89 97 26 110 128 59 22 129 16 126 120 40 45 54 33 24 8 127 51 86 116 37 96 43 114 63 140 101",
  );
  expect(train.slice(0, 10)).toEqual([18, 71, 27, 141, 2, 60, 10, 76, 105, 56]);
});

test.each([
  [990, [747, 625, 298, 746, 45], [905, 451, 938], [103, 715, 261, 911, 760], [629, 559, 684]],
  [3662, [2596, 1548, 2912, 1544, 2438], [546, 1467, 1726], [599, 3421, 1710, 2284, 955], [1653, 2607, 2732]],
  [10222, [6313, 9669, 39, 6896, 6579], [], [5233, 9019, 2630, 7275, 1791], []],
])("a tenth of %i items starts and ends as recorded", (count, testHead, testTail, trainHead, trainTail) => {
  const { train, test } = split(count, { testFraction: 0.1 });
  expect(test.slice(0, 5)).toEqual(testHead);
  expect(train.slice(0, 5)).toEqual(trainHead);
  expect(test.slice(test.length - testTail.length)).toEqual(testTail);
  expect(train.slice(train.length - trainTail.length)).toEqual(trainTail);
  expect(test.length + train.length).toBe(count);
});

test("sizes follow the double product: up for test, down for train", () => {
  expect(splitSizes(4750, { testFraction: 0.14 })).toEqual({ train: 4084, test: 666 });
  expect(splitSizes(10, { trainFraction: 0.75 })).toEqual({ train: 7, test: 3 });
  expect(splitSizes(75000, { testCount: 5000 })).toEqual({ train: 70000, test: 5000 });
});

test.each<[string, number, SplitSize]>([
  ["no items", 0, { testFraction: 0.1 }],
  ["one item", 1, { testFraction: 0.1 }],
  ["as many test items as items", 5, { testCount: 5 }],
  ["more than there are", 5, { testCount: 3, trainCount: 3 }],
  ["a train fraction of less than one item", 5, { trainFraction: 0.1 }],
  ["no test items", 5, { testCount: 0 }],
  ["a fraction that is not a number", 5, { testFraction: Number.NaN }],
])("a split that asks for %s is refused", (_, count, size) => {
  expect(trainTestSplit(count, size, 0)).toBeNull();
});

test("counts may leave items to neither side", () => {
  expect(split(10, { testCount: 2, trainCount: 3 })).toEqual({ test: [2, 8], train: [4, 9, 1] });
});

test("a category of one trains, of two to four gives its last records to test", () => {
  const positions = (count: number, fraction: number) => {
    const { train, test } = splitCategory(count, fraction)!;
    return [[...train], [...test]];
  };
  expect(positions(1, 0.2)).toEqual([[0], []]);
  expect(positions(2, 0.2)).toEqual([[0], [1]]);
  expect(positions(4, 0.12)).toEqual([[0, 1, 2], [3]]);
  expect(positions(4, 0.5)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(positions(5, 0.2)).toEqual([[0, 1, 3, 4], [2]]);
});

test("pandas samples the head of a permutation and rounds half to even", () => {
  expect([...pandasSample(10, { fraction: 1 }, 0)!]).toEqual([2, 8, 4, 9, 1, 6, 7, 3, 0, 5]);
  expect([...pandasSample(10, { count: 2 }, 0)!]).toEqual([2, 8]);
  expect(pandasSample(322, { fraction: 0.2 }, 0)).toHaveLength(64);
  expect(pandasSample(5, { fraction: 0.5 }, 0)).toHaveLength(2);
  expect(pandasSample(7, { fraction: 0.5 }, 0)).toHaveLength(4);
  expect(pandasSample(3, { count: 4 }, 0)).toBeNull();
});
