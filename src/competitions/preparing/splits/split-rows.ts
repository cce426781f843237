import { type Split, type SplitSize, splitSizes, trainTestSplit } from "../../../random/train-test-split.ts";
import { impossibleSplit, stopPreparing } from "../stop-preparing.ts";

/**
 * scikit-learn's shuffled split. A test size that is an integer is a count, anything else a fraction, as there. Too few items to split end
 * the preparation.
 */
export function splitItems(count: number, testSize: number | SplitSize, seed = 0): Split {
  const size = typeof testSize === "number" ? sizeOf(testSize) : testSize;
  return trainTestSplit(count, size, checkedSeed(seed)) ?? impossible(count, size);
}

/** A seed that the generator takes; any other stops the preparation. */
export function checkedSeed(seed: number): number {
  if (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32) return seed;
  return stopPreparing({
    code: "BAD_SETTING",
    file: null,
    message: `${seed} is not a seed of a split.`,
    next: "Set a whole number from 0 to 4294967295.",
  });
}

/** How many items go to either side. */
export function splitCounts(count: number, testSize: number): { train: number; test: number } {
  const size = sizeOf(testSize);
  return splitSizes(count, size) ?? impossible(count, size);
}

function sizeOf(testSize: number): SplitSize {
  return Number.isInteger(testSize) ? { testCount: testSize } : { testFraction: testSize };
}

function impossible(count: number, size: SplitSize): never {
  return impossibleSplit(`${count} items cannot be split with ${JSON.stringify(size)}.`);
}
