import type { BinnedMatrix } from "../boosting/bins.ts";
import type { Random } from "../seeded-random.ts";

/** What the trees of a forest predict: a number, or the shares of classes. */
export type ForestTarget =
  | { readonly kind: "number"; readonly values: Float64Array }
  | { readonly kind: "class"; readonly values: ArrayLike<number>; readonly classes: number };

/** How one tree is grown. */
export interface ForestTreeOptions {
  readonly minSamplesLeaf: number;
  readonly maxDepth: number;
  /** Features drawn for each split. */
  readonly featuresPerSplit: number;
  /** Cut each drawn feature at one random place (extra trees) instead of at the best one. */
  readonly randomCuts: boolean;
}

/** Flat arrays; a leaf has `feature` −1. `values` holds the outputs of each node side by side. */
export interface ForestTree {
  readonly feature: readonly number[];
  /** Bins up to this one go left; missing values, in the last bin, go right. */
  readonly bin: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly values: readonly number[];
}

interface Cut {
  readonly feature: number;
  readonly bin: number;
}

/**
 * Grows one deep tree on the rows given (a row may be named twice, as in a bootstrap sample). The gain is the fall of
 * the variance summed over the outputs, which for classes is the Gini gain.
 */
export function growForestTree(
  binned: BinnedMatrix,
  target: ForestTarget,
  rows: Int32Array,
  options: ForestTreeOptions,
  random: Random,
): ForestTree {
  const outputs = target.kind === "class" ? target.classes : 1;
  const tree = { feature: [] as number[], bin: [] as number[], left: [] as number[], right: [] as number[] };
  const values: number[] = [];
  const features = Int32Array.from(binned.features, (_, i) => i);
  const findCut = cutFinder(binned, target, rows, outputs, options, random);
  const scratch = new Int32Array(rows.length);
  const pending = [{ node: addNode(), from: 0, to: rows.length, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, from, to, depth } = next;
    const sums = sumOutputs(target, rows, from, to, outputs);
    for (let k = 0; k < outputs; k++) values[node * outputs + k] = sums[k] / (to - from);
    if (depth >= options.maxDepth || to - from < 2 * options.minSamplesLeaf || isPure(sums, from, to))
      continue;
    const cut = drawAndFind(from, to, sums);
    if (!cut) continue;
    const middle = partition(cut, from, to);
    tree.feature[node] = cut.feature;
    tree.bin[node] = cut.bin;
    tree.left[node] = addNode();
    tree.right[node] = addNode();
    pending.push({ node: tree.right[node], from: middle, to, depth: depth + 1 });
    pending.push({ node: tree.left[node], from, to: middle, depth: depth + 1 });
  }
  return { ...tree, values };

  function addNode(): number {
    tree.bin.push(0);
    tree.left.push(0);
    tree.right.push(0);
    return tree.feature.push(-1) - 1;
  }

  function isPure(sums: Float64Array, from: number, to: number): boolean {
    return target.kind === "class" && sums.some((sum) => sum === to - from);
  }

  /** Draws features without replacement; one that is constant here does not count as drawn. */
  function drawAndFind(from: number, to: number, sums: Float64Array): Cut | null {
    let best: (Cut & { gain: number }) | null = null;
    let useful = 0;
    for (let drawn = 0; drawn < features.length && useful < options.featuresPerSplit; drawn++) {
      const other = drawn + Math.floor(random() * (features.length - drawn));
      [features[drawn], features[other]] = [features[other], features[drawn]];
      const found = findCut(features[drawn], from, to, sums);
      if (found === "constant") continue;
      useful++;
      if (found && (!best || found.gain > best.gain)) best = { feature: features[drawn], ...found };
    }
    return best;
  }

  function partition({ feature, bin }: Cut, from: number, to: number): number {
    const bins = binned.bins.subarray(feature * binned.rows, (feature + 1) * binned.rows);
    let left = from;
    let right = 0;
    for (let i = from; i < to; i++) {
      if (bins[rows[i]] <= bin) rows[left++] = rows[i];
      else scratch[right++] = rows[i];
    }
    rows.set(scratch.subarray(0, right), left);
    return left;
  }
}

/** Looks for one feature's cut. The first array of sums is per bin and output, the second counts per bin. */
function cutFinder(
  { rows: allRows, bins: allBins }: BinnedMatrix,
  target: ForestTarget,
  rows: Int32Array,
  outputs: number,
  options: ForestTreeOptions,
  random: Random,
) {
  const binSums = new Float64Array(256 * outputs);
  const binCounts = new Int32Array(256);
  const leftSums = new Float64Array(outputs);
  const { minSamplesLeaf, randomCuts } = options;
  const { values } = target;
  const isClass = target.kind === "class";

  return (feature: number, from: number, to: number, sums: Float64Array) => {
    const bins = allBins.subarray(feature * allRows, (feature + 1) * allRows);
    let low = 255;
    let high = 0;
    for (let i = from; i < to; i++) {
      const bin = bins[rows[i]];
      if (bin < low) low = bin;
      if (bin > high) high = bin;
    }
    if (low >= high) return "constant";
    binSums.fill(0, low * outputs, (high + 1) * outputs);
    binCounts.fill(0, low, high + 1);
    for (let i = from; i < to; i++) {
      const bin = bins[rows[i]];
      binCounts[bin]++;
      if (isClass) binSums[bin * outputs + values[rows[i]]]++;
      else binSums[bin] += values[rows[i]];
    }
    const only = randomCuts ? low + Math.floor(random() * (high - low)) : -1;
    let best: { bin: number; gain: number } | null = null;
    let leftCount = 0;
    leftSums.fill(0);
    for (let bin = low; bin < high; bin++) {
      leftCount += binCounts[bin];
      for (let k = 0; k < outputs; k++) leftSums[k] += binSums[bin * outputs + k];
      if (only >= 0 ? bin < only : binCounts[bin] === 0) continue;
      const rightCount = to - from - leftCount;
      if (leftCount >= minSamplesLeaf && rightCount >= minSamplesLeaf) {
        let gain = 0;
        for (let k = 0; k < outputs; k++) {
          const right = sums[k] - leftSums[k];
          gain += (leftSums[k] * leftSums[k]) / leftCount + (right * right) / rightCount;
        }
        if (!best || gain > best.gain) best = { bin, gain };
      }
      if (only >= 0) break;
    }
    return best;
  };
}

function sumOutputs(
  target: ForestTarget,
  rows: Int32Array,
  from: number,
  to: number,
  outputs: number,
): Float64Array {
  const sums = new Float64Array(outputs);
  for (let i = from; i < to; i++) {
    if (target.kind === "class") sums[target.values[rows[i]]]++;
    else sums[0] += target.values[rows[i]];
  }
  return sums;
}
