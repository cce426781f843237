import { type ArenaLayout, ROOM } from "./arena.ts";
import type { RowLoops } from "./loops.ts";

/** What the threads do for one pair of children: positions in the arena's job numbers. */
export const Job = {
  rowsFrom: 0,
  rowsTo: 1,
  /** The slot in which the histogram of the smaller child is built. */
  smallSlot: 2,
  /** The parent's slot, which becomes the larger child's; −1 if there is only one node (the root). */
  largeSlot: 3,
  activeCount: 4,
  chunk: 5,
  gradientUnit: 6,
  hessianUnit: 7,
  countShift: 8,
  minSamples: 9,
  minHessian: 10,
  l2: 11,
  /** Per node, small then large: 1 if its best split is wanted, then its sums. */
  wanted: 12,
  gradient: 14,
  hessian: 16,
  count: 18,
} as const;

/** The numbers of a best split. `gain` is 0 where a feature offers none. */
export const Split = {
  gain: 0,
  bin: 1,
  missingLeft: 2,
  leftGradient: 3,
  leftHessian: 4,
  leftCount: 5,
  /** Eight words of 32 categories, those that go left; all 0 for a numeric split. */
  categories: 8,
} as const;

/** Monotonic counters through which threads share out the features of a job; see `Team`. */
export const Control = { ticket: 0, end: 1, done: 2, stop: 3 } as const;

/** What `featureWork` must be handed because it may not reach for it. */
export const ARENA_NAMES = { Job, Split, Control, ROOM } as const;

export interface FeatureWork {
  /** Does the named part of the active features. */
  doFeatures(from: number, to: number): void;
  /** Takes chunks of the current job until none is left. */
  takeChunks(): void;
}

/**
 * The part of growing a tree that is independent from feature to feature: histograms, and the best split in each.
 *
 * Helper threads run the TEXT of this function (see `Team`), so it may use its arguments and nothing else from
 * outside; types vanish and are allowed. Sums are whole numbers of 64 bits, hence exact: which thread does which
 * feature can change nothing.
 */
export function featureWork(
  buffer: ArrayBufferLike,
  layout: ArenaLayout,
  loops: RowLoops,
  names: typeof ARENA_NAMES,
): FeatureWork {
  const { Job, Split, Control, ROOM } = names;
  const WORD = 4294967296;
  // As in scikit-learn: rarer categories never go left, and their mean is drawn to zero.
  const CATEGORY_SUPPORT = 10;
  const words = new Int32Array(buffer);
  const control = new Int32Array(buffer, layout.control, ROOM.control);
  const job = new Float64Array(buffer, layout.job, ROOM.job);
  const active = new Int32Array(buffer, layout.activeFeatures, layout.featureCount);
  const firstEntries = new Int32Array(buffer, layout.firstEntries, layout.featureCount);
  const binCounts = new Int32Array(buffer, layout.binCounts, layout.featureCount);
  const categorical = new Int32Array(buffer, layout.categorical, layout.featureCount);
  const results = new Float64Array(buffer, layout.results, layout.featureCount * 2 * ROOM.split);
  const gradients = new Float64Array(256);
  const hessians = new Float64Array(256);
  const counts = new Int32Array(256);
  const order = new Int32Array(256);
  const keys = new Float64Array(256);

  function doFeatures(from: number, to: number): void {
    for (let position = from; position < to; position++) doFeature(active[position]);
  }

  function doFeature(feature: number): void {
    const entries = binCounts[feature] + 1;
    const first = layout.histograms + firstEntries[feature] * 16;
    const small = first + job[Job.smallSlot] * layout.histogramBytes;
    loops.histogram(
      layout.bins + feature * layout.rowCount,
      layout.rows + 4 * job[Job.rowsFrom],
      layout.rows + 4 * job[Job.rowsTo],
      layout.ordered,
      small,
      entries * 16,
    );
    if (job[Job.wanted] === 1) findSplit(feature, 0, small);
    if (job[Job.largeSlot] < 0) return;
    const large = first + job[Job.largeSlot] * layout.histogramBytes;
    loops.subtract(large, small, large + entries * 16);
    if (job[Job.wanted + 1] === 1) findSplit(feature, 1, large);
  }

  function findSplit(feature: number, node: number, address: number): void {
    const missing = binCounts[feature];
    const result = (feature * 2 + node) * ROOM.split;
    results.fill(0, result, result + ROOM.split);
    if (categorical[feature] === 1) {
      decode(address, missing + 1);
      scanCategories(node, result, missing + 1);
      return;
    }
    // The missing values go right in the first scan; the second, with them on the left, is needed only if there are any.
    const first = address >>> 2;
    const hasMissing = words[first + missing * 4 + 3] !== 0;
    scanBins(node, result, first, hasMissing ? missing : missing - 1, -1);
    if (hasMissing) scanBins(node, result, first, missing - 1, first + missing * 4);
  }

  function decode(address: number, entries: number): void {
    const shift = job[Job.countShift];
    const mask = 2 ** shift - 1;
    for (let i = 0, word = address >>> 2; i < entries; i++, word += 4) {
      const high = words[word + 3];
      gradients[i] = (words[word + 1] * WORD + (words[word] >>> 0)) * job[Job.gradientUnit];
      hessians[i] = ((high & mask) * WORD + (words[word + 2] >>> 0)) * job[Job.hessianUnit];
      counts[i] = high >>> shift;
    }
  }

  /** `missingLeft` is the word where the missing values' entry begins if they go left, else −1. */
  function scanBins(node: number, result: number, first: number, end: number, missingLeft: number): void {
    const gradientUnit = job[Job.gradientUnit];
    const hessianUnit = job[Job.hessianUnit];
    const shift = job[Job.countShift];
    const mask = 2 ** shift - 1;
    const l2 = job[Job.l2];
    const minSamples = job[Job.minSamples];
    const minHessian = job[Job.minHessian];
    const allGradient = job[Job.gradient + node];
    const allHessian = job[Job.hessian + node];
    const allCount = job[Job.count + node];
    const parent = (allGradient * allGradient) / (allHessian + l2);
    let leftGradient = 0;
    let leftHessian = 0;
    let leftCount = 0;
    let best = results[result];
    for (let bin = missingLeft < 0 ? 0 : -1; bin < end; bin++) {
      const word = bin < 0 ? missingLeft : first + bin * 4;
      const high = words[word + 3];
      // No row here (the count stands in these bits): the same split as one bin before.
      if (high === 0) continue;
      leftGradient += (words[word + 1] * WORD + (words[word] >>> 0)) * gradientUnit;
      leftHessian += ((high & mask) * WORD + (words[word + 2] >>> 0)) * hessianUnit;
      leftCount += high >>> shift;
      if (bin < 0 || leftCount < minSamples || leftHessian < minHessian) continue;
      const rightHessian = allHessian - leftHessian;
      if (allCount - leftCount < minSamples || rightHessian < minHessian) break;
      const rightGradient = allGradient - leftGradient;
      const gain =
        (leftGradient * leftGradient) / (leftHessian + l2) +
        (rightGradient * rightGradient) / (rightHessian + l2) -
        parent;
      if (gain > best) {
        best = gain;
        results[result + Split.gain] = gain;
        results[result + Split.bin] = bin;
        results[result + Split.missingLeft] = missingLeft < 0 ? 0 : 1;
        results[result + Split.leftGradient] = leftGradient;
        results[result + Split.leftHessian] = leftHessian;
        results[result + Split.leftCount] = leftCount;
      }
    }
  }

  /** Sorted by their mean gradient, the best subset of categories is a beginning or an end of the list. */
  function scanCategories(node: number, result: number, entries: number): void {
    let used = 0;
    for (let bin = 0; bin < entries; bin++) {
      if (counts[bin] < CATEGORY_SUPPORT) continue;
      order[used++] = bin;
      keys[bin] = gradients[bin] / (hessians[bin] + CATEGORY_SUPPORT);
    }
    order.subarray(0, used).sort((a, b) => keys[a] - keys[b] || a - b);
    const half = (used + 1) >> 1;
    scanOrder(node, result, 0, 1, used === entries ? Math.min(half, used - 1) : half);
    scanOrder(node, result, used - 1, -1, used === entries ? Math.min(half, used - 1) : half);
  }

  function scanOrder(node: number, result: number, from: number, step: number, length: number): void {
    const l2 = job[Job.l2];
    const allGradient = job[Job.gradient + node];
    const allHessian = job[Job.hessian + node];
    const allCount = job[Job.count + node];
    const parent = (allGradient * allGradient) / (allHessian + l2);
    let leftGradient = 0;
    let leftHessian = 0;
    let leftCount = 0;
    let bestLength = 0;
    for (let i = 0; i < length; i++) {
      const bin = order[from + step * i];
      leftGradient += gradients[bin];
      leftHessian += hessians[bin];
      leftCount += counts[bin];
      if (leftCount < job[Job.minSamples] || leftHessian < job[Job.minHessian]) continue;
      const rightHessian = allHessian - leftHessian;
      if (allCount - leftCount < job[Job.minSamples] || rightHessian < job[Job.minHessian]) break;
      const rightGradient = allGradient - leftGradient;
      const gain =
        (leftGradient * leftGradient) / (leftHessian + l2) +
        (rightGradient * rightGradient) / (rightHessian + l2) -
        parent;
      if (gain > results[result]) {
        bestLength = i + 1;
        results[result + Split.gain] = gain;
        results[result + Split.leftGradient] = leftGradient;
        results[result + Split.leftHessian] = leftHessian;
        results[result + Split.leftCount] = leftCount;
      }
    }
    if (bestLength === 0) return;
    const bits = new Uint32Array(8);
    for (let i = 0; i < bestLength; i++)
      bits[order[from + step * i] >> 5] |= 1 << (order[from + step * i] & 31);
    for (let i = 0; i < 8; i++) results[result + Split.categories + i] = bits[i];
  }

  function takeChunks(): void {
    for (;;) {
      const ticket = Atomics.load(control, Control.ticket);
      const end = Atomics.load(control, Control.end);
      if (ticket >= end) return;
      if (Atomics.compareExchange(control, Control.ticket, ticket, ticket + 1) !== ticket) continue;
      // The job cannot change before this chunk is reported done, so its numbers are read only now.
      const count = job[Job.activeCount];
      const chunk = job[Job.chunk];
      const chunks = Math.ceil(count / chunk);
      const position = (ticket - (Atomics.load(control, Control.end) - chunks)) * chunk;
      doFeatures(position, Math.min(count, position + chunk));
      Atomics.add(control, Control.done, 1);
      Atomics.notify(control, Control.done);
    }
  }

  return { doFeatures, takeChunks };
}
