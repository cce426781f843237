import type { BinnedMatrix, FeatureBins } from "../boosting/bins.ts";
import { binOf } from "../boosting/bins.ts";
import type { DenseMatrix } from "../matrix.ts";
import { randomInteger, seededRandom } from "../seeded-random.ts";
import { type ForestTarget, type ForestTree, growForestTree } from "./forest-tree.ts";

export interface ForestOptions {
  readonly trees: number;
  /** `random`: bootstrap rows and the best cut of each drawn feature; `extra`: all rows and random cuts. */
  readonly kind: "random" | "extra";
  readonly seed: number;
  readonly rows?: Int32Array;
  readonly minSamplesLeaf?: number;
  readonly maxDepth?: number;
  /** The share of features drawn at each split; a square root for classes and a third for numbers if left out. */
  readonly featureShare?: number;
  /** Asked before each tree; a forest that is told to stop keeps the trees it has (at least one). */
  readonly shouldStop?: () => boolean;
}

/** Plain data. */
export interface Forest {
  readonly outputs: number;
  readonly features: readonly FeatureBins[];
  readonly trees: readonly ForestTree[];
}

/** Each tree has a seed of its own, so that a longer forest begins with the trees of a shorter one. */
export function fitForest(binned: BinnedMatrix, target: ForestTarget, options: ForestOptions): Forest {
  const all = options.rows ?? Int32Array.from({ length: binned.rows }, (_, i) => i);
  const count = binned.features.length;
  const usual = target.kind === "class" ? Math.sqrt(count) : count / 3;
  const featuresPerSplit = Math.max(
    1,
    Math.round(options.featureShare ? options.featureShare * count : usual),
  );
  const trees: ForestTree[] = [];
  for (let i = 0; i < options.trees && !(i > 0 && options.shouldStop?.()); i++) {
    const random = seededRandom(options.seed * 2 ** 20 + i);
    const rows =
      options.kind === "random" ? all.map(() => all[randomInteger(random, all.length)]).sort() : all.slice();
    const limits = {
      minSamplesLeaf: options.minSamplesLeaf ?? (target.kind === "class" ? 1 : 3),
      maxDepth: options.maxDepth ?? Number.POSITIVE_INFINITY,
      featuresPerSplit,
      randomCuts: options.kind === "extra",
    };
    trees.push(growForestTree(binned, target, rows, limits, random));
  }
  return { outputs: target.kind === "class" ? target.classes : 1, features: binned.features, trees };
}

/** Means over the trees, one output after another: class shares or numbers. */
export function predictForest({ outputs, features, trees }: Forest, matrix: DenseMatrix): Float64Array {
  const { rows, columns, values } = matrix;
  const result = new Float64Array(rows * outputs);
  const bins = new Uint8Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < columns; j++) bins[j] = binOf(features[j], values[row * columns + j]);
    for (const tree of trees) {
      let node = 0;
      while (tree.feature[node] >= 0) {
        node = bins[tree.feature[node]] <= tree.bin[node] ? tree.left[node] : tree.right[node];
      }
      for (let k = 0; k < outputs; k++)
        result[k * rows + row] += tree.values[node * outputs + k] / trees.length;
    }
  }
  return result;
}
