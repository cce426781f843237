import { type Arena, ROOM } from "./arena.ts";
import type { FeatureBins } from "./bins.ts";
import { Job, Split } from "./feature-work.ts";
import type { Shift } from "./team.ts";
import type { Tree } from "./tree.ts";
import { treeWriter } from "./tree-writer.ts";

/** What limits a tree. The names follow scikit-learn's. */
export interface TreeLimits {
  readonly maxLeaves: number;
  readonly maxDepth: number;
  readonly minSamplesLeaf: number;
  readonly minHessianLeaf: number;
  readonly l2: number;
}

/** A grown tree, and the rows of each leaf: `from` up to `to` in the arena's order of rows. */
export interface GrownTree {
  readonly tree: Tree;
  readonly leaves: readonly { node: number; from: number; to: number }[];
}

interface Node {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly gradient: number;
  readonly hessian: number;
  /** The slot of its histogram, −1 if it was never needed. */
  slot: number;
  split: NodeSplit | null;
}

interface NodeSplit {
  readonly feature: number;
  readonly numbers: Float64Array;
}

/** Below this much work (about a nanosecond each), waking the helpers costs more than they save. */
const WORTH_SHARING = 40_000;
/** A bin is cleared, subtracted and looked at twice, however few rows there are: on wide tables that is most of it. */
const PER_BIN = 2;

/**
 * Grows one tree on the statistics in the arena, always splitting the leaf that gains most (the first of equals).
 * Only the smaller child's histogram is counted; the larger one's is what its parent has more.
 */
export function growTree(
  arena: Arena,
  shift: Shift,
  features: readonly FeatureBins[],
  rootRows: number,
  activeCount: number,
  limits: TreeLimits,
): GrownTree {
  const { layout } = arena;
  const { buffer } = arena.memory;
  const job = new Float64Array(buffer, layout.job, ROOM.job);
  const goesLeft = new Uint8Array(buffer, layout.goesLeft, 256);
  const active = new Int32Array(buffer, layout.activeFeatures, activeCount);
  const results = new Float64Array(buffer, layout.results, layout.featureCount * 2 * ROOM.split);
  const binsOfAFeature = layout.histogramBytes / 16 / Math.max(1, layout.featureCount);
  job[Job.minSamples] = limits.minSamplesLeaf;
  job[Job.minHessian] = limits.minHessianLeaf;
  job[Job.l2] = limits.l2;
  const writer = treeWriter(limits.maxLeaves, features);
  const freeSlots = Array.from({ length: limits.maxLeaves + 1 }, (_, i) => limits.maxLeaves - i);

  const maySplit = (node: Node) =>
    node.depth < limits.maxDepth &&
    node.to - node.from >= 2 * limits.minSamplesLeaf &&
    node.hessian >= limits.minHessianLeaf;

  function describe(position: 0 | 1, node: Node): void {
    job[Job.wanted + position] = maySplit(node) ? 1 : 0;
    job[Job.gradient + position] = node.gradient;
    job[Job.hessian + position] = node.hessian;
    job[Job.count + position] = node.to - node.from;
  }

  function countAndFind(small: Node, large: Node | null): void {
    // One slot more than leaves: it never runs out.
    small.slot = freeSlots.pop() as number;
    job[Job.rowsFrom] = small.from;
    job[Job.rowsTo] = small.to;
    job[Job.smallSlot] = small.slot;
    job[Job.largeSlot] = large?.slot ?? -1;
    describe(0, small);
    if (large) describe(1, large);
    shift.loops.gather(
      layout.statistics,
      layout.rows + 4 * small.from,
      layout.rows + 4 * small.to,
      layout.ordered,
    );
    const perFeature = small.to - small.from + PER_BIN * binsOfAFeature;
    shift.run(activeCount, perFeature * activeCount < WORTH_SHARING);
    for (const [position, node] of [small, large].entries()) {
      if (node) node.split = maySplit(node) ? bestSplit(position) : null;
    }
  }

  function bestSplit(position: number): NodeSplit | null {
    let best = -1;
    let bestGain = 0;
    for (const feature of active) {
      const gain = results[(feature * 2 + position) * ROOM.split];
      if (gain > bestGain) [best, bestGain] = [feature, gain];
    }
    const from = (best * 2 + position) * ROOM.split;
    return best < 0 ? null : { feature: best, numbers: results.slice(from, from + ROOM.split) };
  }

  function partition(node: Node, { feature, numbers }: NodeSplit): number {
    const missing = features[feature].count;
    for (let bin = 0; bin <= missing; bin++) {
      if (features[feature].categorical) {
        goesLeft[bin] = (numbers[Split.categories + (bin >> 5)] >>> (bin & 31)) & 1;
      } else goesLeft[bin] = bin === missing ? numbers[Split.missingLeft] : Number(bin <= numbers[Split.bin]);
    }
    const bins = layout.bins + feature * layout.rowCount;
    const [from, to] = [layout.rows + 4 * node.from, layout.rows + 4 * node.to];
    const end = shift.loops.partition(bins, from, to, layout.goesLeft, layout.scratch);
    return (end - layout.rows) / 4;
  }

  const root = {
    id: writer.add(),
    from: 0,
    to: rootRows,
    depth: 0,
    slot: -1,
    split: null,
    ...total(arena, rootRows),
  };
  const leaves: Node[] = [root];
  if (maySplit(root)) countAndFind(root, null);
  while (leaves.length < limits.maxLeaves) {
    const position = mostGain(leaves);
    if (position < 0) break;
    const [node] = leaves.splice(position, 1);
    const split = node.split as NodeSplit;
    const middle = partition(node, split);
    const leftSums = {
      gradient: split.numbers[Split.leftGradient],
      hessian: split.numbers[Split.leftHessian],
    };
    const depth = node.depth + 1;
    const left: Node = {
      id: writer.add(),
      from: node.from,
      to: middle,
      depth,
      slot: -1,
      split: null,
      ...leftSums,
    };
    const right: Node = {
      ...left,
      id: writer.add(),
      from: middle,
      to: node.to,
      gradient: node.gradient - left.gradient,
      hessian: node.hessian - left.hessian,
    };
    writer.split(node.id, split.feature, split.numbers, left.id, right.id);
    leaves.push(left, right);
    const [small, large] = middle - node.from <= node.to - middle ? [left, right] : [right, left];
    large.slot = node.slot;
    if (leaves.length < limits.maxLeaves && (maySplit(left) || maySplit(right))) countAndFind(small, large);
    for (const child of [small, large]) {
      if (child.split === null && child.slot >= 0) freeSlots.push(child.slot);
    }
  }
  for (const { id, gradient, hessian } of leaves) {
    const mass = hessian + limits.l2;
    writer.setValue(id, mass > 0 ? -gradient / mass : 0);
  }
  return { tree: writer.finish(), leaves: leaves.map(({ id, from, to }) => ({ node: id, from, to })) };
}

function mostGain(leaves: readonly Node[]): number {
  let best = -1;
  for (const [i, { split }] of leaves.entries()) {
    if (split && (best < 0 || split.numbers[0] > (leaves[best].split?.numbers[0] ?? 0))) best = i;
  }
  return best;
}

/** Sums over the root's rows, from the same whole numbers as the histograms. */
function total({ memory, layout }: Arena, rootRows: number): { gradient: number; hessian: number } {
  const job = new Float64Array(memory.buffer, layout.job, ROOM.job);
  const words = new Int32Array(memory.buffer, layout.statistics, layout.rowCount * 4);
  const rows = new Int32Array(memory.buffer, layout.rows, rootRows);
  let gradient = 0;
  let hessian = 0;
  for (let i = 0; i < rootRows; i++) {
    gradient += words[rows[i] * 4 + 1] * 2 ** 32 + (words[rows[i] * 4] >>> 0);
    hessian += words[rows[i] * 4 + 2];
  }
  return { gradient: gradient * job[Job.gradientUnit], hessian: hessian * job[Job.hessianUnit] };
}
