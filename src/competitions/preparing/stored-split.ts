import fs from "node:fs";
import { join } from "node:path";
import { invertPermutation } from "../../random/invert-permutation.ts";
import { permutation, randomState } from "../../random/numpy-legacy.ts";
import type { Preparation } from "../preparer.ts";
import type { RowOrder, RowPlaces } from "./row-order.ts";
import { checkedSeed, splitCounts } from "./split-rows.ts";

const WINDOW_ROWS = 2 ** 16;
const ENTRY = Uint32Array.BYTES_PER_ELEMENT;

/** The two sides of a split whose order lies in a file, to be followed once or more, and never held. */
export interface StoredSplit {
  readonly train: RowOrder;
  readonly test: RowOrder;
}

/**
 * The split of `splitItems` for tables of any length. The permutation takes 4 bytes a row while it is drawn; then it waits in the scratch
 * folder and is read in step with the source, so that moving the rows needs the same memory for a million as for fifty.
 */
export function storedSplit(
  preparation: Preparation,
  count: number,
  testSize: number,
  seed = 0,
): StoredSplit {
  const { test, train } = splitCounts(count, testSize);
  const file = join(preparation.scratch, `split.${Math.random()}`);
  storePositions(file, count, seed);
  return {
    test: { count: test, ascending: false, open: () => storedPlaces(file, 0, test) },
    train: { count: train, ascending: false, open: () => storedPlaces(file, test, train) },
  };
}

/** For each source row, where the permutation puts it. In a function of its own, so that nothing keeps the array alive. */
function storePositions(file: string, count: number, seed: number): void {
  const order = permutation(randomState(checkedSeed(seed)), count);
  invertPermutation(order);
  fs.writeFileSync(file, new Uint8Array(order.buffer), { flag: "wx" });
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
