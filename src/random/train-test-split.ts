import { permutation, randomState } from "./numpy-legacy.ts";

/** Positions of the items on either side, in the order drawn, not in the order of the source. */
export interface Split {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/**
 * How large the parts are. A fraction of the items for test is rounded up, a fraction for train down. Counts for both may leave
 * items over, which then belong to neither.
 */
export type SplitSize =
  | { readonly testFraction: number }
  | { readonly testCount: number; readonly trainCount?: number }
  | { readonly trainFraction: number };

/**
 * scikit-learn's `train_test_split` with shuffling and no stratification. The positions depend only on the number of
 * items, the sizes and the seed. Null where scikit-learn refuses: a side would be empty, or the sizes exceed the items.
 */
export function trainTestSplit(count: number, size: SplitSize, seed: number): Split | null {
  const sizes = splitSizes(count, size);
  if (!sizes) return null;
  const order = permutation(randomState(seed), count);
  return {
    test: order.subarray(0, sizes.test),
    train: order.subarray(sizes.test, sizes.test + sizes.train),
  };
}

/** The two sizes alone. The fraction is multiplied in doubles: 0.14 of 4750 is 666 because the product lies above 665. */
export function splitSizes(count: number, size: SplitSize): { train: number; test: number } | null {
  const { train, test } = requested(count, size);
  const legal = Number.isInteger(train) && Number.isInteger(test) && train > 0 && test > 0;
  return legal && train + test <= count ? { train, test } : null;
}

function requested(count: number, size: SplitSize): { train: number; test: number } {
  if ("testFraction" in size) {
    const test = Math.ceil(size.testFraction * count);
    return { train: count - test, test };
  }
  if ("testCount" in size) {
    return { train: size.trainCount ?? count - size.testCount, test: size.testCount };
  }
  const train = Math.floor(size.trainFraction * count);
  return { train, test: count - train };
}
