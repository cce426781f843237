import { describe, expect, test } from "vitest";
import { binFeatures } from "../../../src/learning/boosting/bins.ts";
import { fitForest, predictForest } from "../../../src/learning/forest/forest.ts";
import { growForestTree } from "../../../src/learning/forest/forest-tree.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { rocAuc } from "../../../src/metrics/classification/roc-auc.ts";
import { farthest, normalMatrix, targetOf } from "./made-data.ts";

const matrix = normalMatrix(600, 5, 1);
const binned = binFeatures(matrix);
const numbers = targetOf(matrix, (a, b) => a * b);
const classes = targetOf(matrix, (a, b) => (a > 0 ? (b > 0 ? 2 : 1) : 0));

test("a tree's first cut is the best of all by Gini impurity", () => {
  const options = { minSamplesLeaf: 1, maxDepth: 1, featuresPerSplit: 5, randomCuts: false };
  const rows = Int32Array.from({ length: 600 }, (_, row) => row);
  const target = { kind: "class", values: classes, classes: 3 } as const;
  const { feature, bin } = growForestTree(binned, target, rows, options, seededRandom(1));
  let best = { feature: -1, bin: -1, impurity: Number.POSITIVE_INFINITY };
  for (let f = 0; f < 5; f++) {
    for (let cut = 0; cut < 254; cut++) {
      const sides = [new Float64Array(3), new Float64Array(3)];
      for (let row = 0; row < 600; row++) sides[binned.bins[f * 600 + row] <= cut ? 0 : 1][classes[row]]++;
      const impurity = sides.reduce((sum, counts) => {
        const total = counts[0] + counts[1] + counts[2];
        return (
          sum + (total === 0 ? 0 : total - counts.reduce((all, count) => all + count * count, 0) / total)
        );
      }, 0);
      if (impurity < best.impurity - 1e-9) best = { feature: f, bin: cut, impurity };
    }
  }
  expect({ feature: feature[0], bin: bin[0] }).toEqual({ feature: best.feature, bin: best.bin });
});

test("one tree without limits and with all rows remembers every number", () => {
  const target = { kind: "number", values: numbers } as const;
  const options = { trees: 1, kind: "extra", seed: 1, minSamplesLeaf: 1 } as const;
  const few = { ...matrix, rows: 200, values: matrix.values.slice(0, 1000) };
  const forest = fitForest(binFeatures(few), { ...target, values: numbers.slice(0, 200) }, options);
  expect(farthest(predictForest(forest, few), numbers.slice(0, 200))).toBeLessThan(1e-12);
});

describe.each(["random", "extra"] as const)("a forest of %s trees", (kind) => {
  test("finds what depends on two features at once, on rows it has not seen", () => {
    const rows = Int32Array.from({ length: 400 }, (_, row) => row);
    const target = { kind: "class", values: classes, classes: 3 } as const;
    const forest = fitForest(binned, target, { trees: 60, kind, seed: 2, rows });
    const shares = predictForest(forest, matrix);
    const isTwo = classes.slice(400).map((label) => Number(label === 2));
    expect(rocAuc(isTwo, shares.slice(1200 + 400))).toBeGreaterThan(0.95);
    for (let row = 0; row < 600; row++)
      expect(shares[row] + shares[600 + row] + shares[1200 + row]).toBeCloseTo(1, 9);
  });

  test("is the same twice, and a longer one begins with the trees of a shorter one", () => {
    const target = { kind: "number", values: numbers } as const;
    const short = fitForest(binned, target, { trees: 3, kind, seed: 5 });
    const long = fitForest(binned, target, { trees: 5, kind, seed: 5 });
    expect(long.trees.slice(0, 3)).toEqual(short.trees);
  });
});
