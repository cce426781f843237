import type { FeatureBins } from "./bins.ts";
import { Split } from "./feature-work.ts";
import type { Tree } from "./tree.ts";

/** Collects the nodes of a tree while it grows. Nodes are leaves until they are split. */
export interface TreeWriter {
  add(): number;
  /** `numbers` are those of `Split`. */
  split(node: number, feature: number, numbers: Float64Array, left: number, right: number): void;
  setValue(node: number, value: number): void;
  finish(): Tree;
}

export function treeWriter(maxLeaves: number, features: readonly FeatureBins[]): TreeWriter {
  const size = 2 * maxLeaves - 1;
  const tree = {
    feature: new Int32Array(size).fill(-1),
    bin: new Uint8Array(size),
    limit: new Float64Array(size),
    missingLeft: new Uint8Array(size),
    left: new Int32Array(size),
    right: new Int32Array(size),
    subset: new Int32Array(size).fill(-1),
    value: new Float64Array(size),
  };
  const categories: number[] = [];
  let used = 0;
  return {
    add: () => used++,
    split(node, feature, numbers, left, right) {
      const bins = features[feature];
      tree.feature[node] = feature;
      tree.left[node] = left;
      tree.right[node] = right;
      if (bins.categorical) {
        tree.subset[node] = categories.length / 8;
        categories.push(...numbers.subarray(Split.categories, Split.categories + 8));
        return;
      }
      const bin = numbers[Split.bin];
      tree.bin[node] = bin;
      // The cut between the last ordinary bin and the missing values: everything that is a number goes left.
      tree.limit[node] = bin < bins.limits.length ? bins.limits[bin] : Number.POSITIVE_INFINITY;
      tree.missingLeft[node] = numbers[Split.missingLeft];
    },
    setValue(node, value) {
      tree.value[node] = value;
    },
    finish: () => ({
      feature: tree.feature.slice(0, used),
      bin: tree.bin.slice(0, used),
      limit: tree.limit.slice(0, used),
      missingLeft: tree.missingLeft.slice(0, used),
      left: tree.left.slice(0, used),
      right: tree.right.slice(0, used),
      subset: tree.subset.slice(0, used),
      value: tree.value.slice(0, used),
      categories: Uint32Array.from(categories),
    }),
  };
}
