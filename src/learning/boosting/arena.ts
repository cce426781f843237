import type { BinnedMatrix } from "./bins.ts";

/**
 * One block of shared memory holds everything that growing a tree touches, so that threads and WebAssembly see the
 * same bytes. All positions are byte addresses.
 */
export interface ArenaLayout {
  readonly rowCount: number;
  readonly featureCount: number;
  /** Per feature: where its entries begin in a histogram, how many bins it has, whether it is categorical. */
  readonly firstEntries: number;
  readonly binCounts: number;
  readonly categorical: number;
  readonly control: number;
  readonly job: number;
  /** The features that the current tree may use. */
  readonly activeFeatures: number;
  readonly results: number;
  readonly bins: number;
  /** Per row two 64-bit numbers: the gradient, and the count of one above the hessian. */
  readonly statistics: number;
  readonly ordered: number;
  readonly rows: number;
  readonly scratch: number;
  readonly goesLeft: number;
  readonly histograms: number;
  readonly histogramBytes: number;
}

export interface Arena {
  readonly memory: WebAssembly.Memory;
  readonly layout: ArenaLayout;
}

/** How much room the shared parts have: a feature's best split of a node, the current job, the threads' counters. */
export const ROOM = { split: 16, job: 32, control: 16 } as const;
const PAGE = 65536;
const LARGEST_PAGES = 65536;

/** The bytes that a fit of this size will take; more than 4 GB cannot be had. */
export function arenaBytes(rows: number, features: readonly { count: number }[], leaves: number): number {
  return planArena(rows, features, leaves).bytes;
}

/** Copies the bins of the chosen rows into an arena with room for the histograms of `leaves` leaves. */
export function createArena(binned: BinnedMatrix, rows: Int32Array, leaves: number): Arena {
  const { layout, bytes } = planArena(rows.length, binned.features, leaves);
  const pages = Math.ceil(bytes / PAGE);
  if (pages > LARGEST_PAGES) throw new RangeError(`a boosting fit of ${bytes} bytes exceeds 4 GB`);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const { buffer } = memory;
  const firstEntries = new Int32Array(buffer, layout.firstEntries, layout.featureCount);
  const binCounts = new Int32Array(buffer, layout.binCounts, layout.featureCount);
  const categorical = new Int32Array(buffer, layout.categorical, layout.featureCount);
  let entries = 0;
  for (const [feature, { count, categorical: isCategorical }] of binned.features.entries()) {
    firstEntries[feature] = entries;
    binCounts[feature] = count;
    categorical[feature] = isCategorical ? 1 : 0;
    entries += count + 1;
    const source = binned.bins.subarray(feature * binned.rows, (feature + 1) * binned.rows);
    const target = new Uint8Array(buffer, layout.bins + feature * rows.length, rows.length);
    for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]];
  }
  return { memory, layout };
}

function planArena(rowCount: number, features: readonly { count: number }[], leaves: number) {
  const featureCount = features.length;
  const entries = features.reduce((sum, { count }) => sum + count + 1, 0);
  // Address 0 stays free: the loops compute addresses a few bytes below an end.
  let bytes = 64;
  const take = (size: number) => {
    const address = bytes;
    bytes += Math.ceil(size / 64) * 64;
    return address;
  };
  const histogramBytes = entries * 16;
  const layout: ArenaLayout = {
    rowCount,
    featureCount,
    firstEntries: take(featureCount * 4),
    binCounts: take(featureCount * 4),
    categorical: take(featureCount * 4),
    control: take(ROOM.control * 4),
    job: take(ROOM.job * 8),
    activeFeatures: take(featureCount * 4),
    results: take(featureCount * 2 * ROOM.split * 8),
    bins: take(rowCount * featureCount),
    statistics: take(rowCount * 16),
    ordered: take(rowCount * 16),
    rows: take(rowCount * 4),
    scratch: take(rowCount * 4),
    goesLeft: take(256),
    histograms: take(histogramBytes * (leaves + 1)),
    histogramBytes,
  };
  return { layout, bytes };
}
