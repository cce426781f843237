import { type Split, type SplitSize, trainTestSplit } from "../../random/train-test-split.ts";
import { stopPreparing } from "./stop-preparing.ts";

/**
 * scikit-learn's shuffled split. A test size that is an integer is a count, anything else a fraction, as there. Too few items to split end
 * the preparation.
 */
export function splitItems(count: number, testSize: number | SplitSize, seed = 0): Split {
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)
    return stopPreparing({
      code: "BAD_SETTING",
      file: null,
      message: `${seed} is no seed of a split.`,
      next: "Set a whole number from 0 to 4294967295.",
    });
  const size = typeof testSize === "number" ? sizeOf(testSize) : testSize;
  const split = trainTestSplit(count, size, seed);
  if (split) return split;
  return stopPreparing({
    code: "SPLIT_IMPOSSIBLE",
    file: null,
    message: `${count} items cannot be split with ${JSON.stringify(size)}.`,
    next: "Check that the download is complete, or set another size.",
  });
}

function sizeOf(testSize: number): SplitSize {
  return Number.isInteger(testSize) ? { testCount: testSize } : { testFraction: testSize };
}
