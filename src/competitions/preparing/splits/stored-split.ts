import fs from "node:fs";
import { join } from "node:path";
import { randomState } from "../../../random/numpy-legacy.ts";
import type { Preparation } from "../../preparer.ts";
import type { RowOrder, RowPlaces } from "../rows/row-order.ts";
import { checkedSeed, splitCounts } from "./split-rows.ts";
import { storePermutation } from "./stored-permutation.ts";

const WINDOW_ROWS = 2 ** 16;
const ENTRY = Uint32Array.BYTES_PER_ELEMENT;

/** The two sides of a split whose order lies in a file, to be followed once or more, and never held. */
export interface StoredSplit {
  readonly train: RowOrder;
  readonly test: RowOrder;
}

/**
 * The split of `splitItems` for tables of any length, in the same memory for a million rows as for fifty: the permutation is drawn into a file
 * of the scratch folder and read in step with the source.
 */
export async function storedSplit(
  preparation: Preparation,
  count: number,
  testSize: number,
  seed = 0,
): Promise<StoredSplit> {
  const { test, train } = splitCounts(count, testSize);
  const file = join(preparation.scratch, `split.${Math.random()}`);
  await storePermutation(preparation, file, randomState(checkedSeed(seed)), count);
  return {
    test: { count: test, ascending: false, open: () => storedPlaces(file, 0, test) },
    train: { count: train, ascending: false, open: () => storedPlaces(file, test, train) },
  };
}

/** Positions from `first` on belong to this side. */
function storedPlaces(file: string, first: number, count: number): RowPlaces {
  const descriptor = fs.openSync(file, "r");
  const window = new Uint32Array(WINDOW_ROWS);
  let start = 0;
  let end = 0;
  return {
    of(sourceRow) {
      while (sourceRow >= end) {
        start = end;
        end += fs.readSync(descriptor, window, 0, window.byteLength, start * ENTRY) / ENTRY;
        if (end === start) throw new Error("the stored order of a split was cut off");
      }
      const position = window[sourceRow - start] - first;
      return position >= 0 && position < count ? position : -1;
    },
    close: () => fs.closeSync(descriptor),
  };
}
