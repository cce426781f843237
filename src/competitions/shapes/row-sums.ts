import { numpyRowSums } from "../../metrics/arithmetic/numpy-sum.ts";
import type { Column } from "../../table/columns/column.ts";
import type { Problems } from "../problems.ts";

const ENOUGH = 1000;

/** Every row's sum must pass the test, which decides what still counts as 1. */
export function requireSumOfOne(
  columns: readonly Column[],
  isOne: (sum: number) => boolean,
  problems: Problems,
): boolean {
  const sums = numpyRowSums(columns.map(({ numbers }) => numbers));
  let wrong = 0;
  for (let row = 0; row < sums.length && wrong < ENOUGH; row++) {
    if (isOne(sums[row])) continue;
    wrong++;
    problems.add({
      code: "WRONG_SUM",
      row: row + 1,
      message: `The ${columns.length} probabilities of row ${row + 1} add up to ${sums[row]}; they must add up to 1.`,
    });
  }
  return wrong === 0;
}

/**
 * Whether a sum is close enough to 1. The tolerance looks like 1e-6, but the original's comparison adds a relative
 * 1e-5 to it.
 */
export function isRoughlyOne(sum: number): boolean {
  return Math.abs(sum - 1) <= 1e-6 + 1e-5;
}
