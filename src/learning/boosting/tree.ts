import type { DenseMatrix } from "../matrix.ts";
import { type BinnedMatrix, binOf, type FeatureBins } from "./bins.ts";

/** A decision tree as flat arrays. Node 0 is the root; a leaf has `feature` −1. */
export interface Tree {
  readonly feature: Int32Array;
  /** Bins up to this one go left. */
  readonly bin: Uint8Array;
  /** Values up to this one go left: the same cut as `bin`, for data that was never binned. */
  readonly limit: Float64Array;
  readonly missingLeft: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** The categories that go left at a categorical node: position in `categories`, or −1. */
  readonly subset: Int32Array;
  readonly categories: Uint32Array;
  readonly value: Float64Array;
}

/** Adds the tree's value to each row's output; `target` holds one output of every row. */
export function addTree(
  tree: Tree,
  features: readonly FeatureBins[],
  matrix: DenseMatrix,
  target: Float64Array,
): void {
  const { feature, limit, missingLeft, left, right, subset, value } = tree;
  const { rows, columns, values } = matrix;
  for (let row = 0; row < rows; row++) {
    const offset = row * columns;
    let node = 0;
    while (feature[node] >= 0) {
      const x = values[offset + feature[node]];
      let goesLeft: boolean;
      if (subset[node] >= 0) goesLeft = hasCategory(tree, node, binOf(features[feature[node]], x));
      // A comparison with NaN is false: a missing value never passes for a small one.
      else goesLeft = x <= limit[node] || (missingLeft[node] === 1 && Number.isNaN(x));
      node = goesLeft ? left[node] : right[node];
    }
    target[row] += value[node];
  }
}

/** The same for rows of the binned matrix; `target` is in the order of `rows`. */
export function addTreeToBinned(
  tree: Tree,
  binned: BinnedMatrix,
  rows: Int32Array,
  target: Float64Array,
): void {
  const { feature, bin, missingLeft, left, right, subset, value } = tree;
  for (let i = 0; i < rows.length; i++) {
    let node = 0;
    while (feature[node] >= 0) {
      const found = binned.bins[feature[node] * binned.rows + rows[i]];
      let goesLeft: boolean;
      if (subset[node] >= 0) goesLeft = hasCategory(tree, node, found);
      else {
        const isMissing = found === binned.features[feature[node]].count;
        goesLeft = isMissing ? missingLeft[node] === 1 : found <= bin[node];
      }
      node = goesLeft ? left[node] : right[node];
    }
    target[i] += value[node];
  }
}

/** Whether the bin is among the categories that go left. */
function hasCategory(
  { subset, categories }: Pick<Tree, "subset" | "categories">,
  node: number,
  bin: number,
): boolean {
  return ((categories[subset[node] * 8 + (bin >> 5)] >>> (bin & 31)) & 1) === 1;
}
