import { splitCategory } from "../../../random/per-category-split.ts";
import type { Split } from "../../../random/train-test-split.ts";
import { stopPreparing } from "../stop-preparing.ts";

/** The split of one category's items with the rule for small categories. A size that fits no category ends the preparation. */
export function splitCategoryItems(count: number, testFraction: number): Split {
  return (
    splitCategory(count, testFraction) ??
    stopPreparing({
      code: "SPLIT_IMPOSSIBLE",
      file: null,
      message: `A category of ${count} images cannot be split with a test share of ${testFraction}.`,
      next: "Set a share between 0 and 1 that leaves images on both sides.",
    })
  );
}
