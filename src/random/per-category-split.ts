import { type Split, trainTestSplit } from "./train-test-split.ts";

/**
 * The split of one category's records: a fresh seed-0 generator for each, and a rule of its own for small ones. One record goes
 * to train; two to four are not shuffled, their last ones (at least one) go to test. Null as in `trainTestSplit`.
 */
export function splitCategory(count: number, testFraction: number): Split | null {
  if (count >= 5) return trainTestSplit(count, { testFraction }, 0);
  const positions = Uint32Array.from({ length: count }, (_, i) => i);
  const testCount = count < 2 ? 0 : Math.max(1, Math.floor(count * testFraction));
  return { train: positions.subarray(0, count - testCount), test: positions.subarray(count - testCount) };
}
