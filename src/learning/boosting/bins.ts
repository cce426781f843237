import type { DenseMatrix } from "../matrix.ts";

/** Bins of ordinary values; one more bin of each feature holds its missing values. */
const MAX_BINS = 255;
const ROWS_FOR_QUANTILES = 200_000;

/** How a feature's values became small whole numbers. */
export interface FeatureBins {
  /** Bins of ordinary values. The bin with this number holds the missing ones. */
  readonly count: number;
  /** A value belongs to the first bin whose upper limit is not below it; empty for a categorical feature. */
  readonly limits: Float64Array;
  readonly categorical: boolean;
}

/** A matrix cut into bins, column after column: one byte a value. */
export interface BinnedMatrix {
  readonly rows: number;
  readonly features: readonly FeatureBins[];
  readonly bins: Uint8Array;
}

/** `categorical` features hold codes 0 … 254; any other value of theirs counts as missing. */
export interface BinOptions {
  readonly categorical?: ReadonlySet<number>;
  readonly maxBins?: number;
}

/**
 * Cuts each feature at its quantiles, or between all its values if they are few, as scikit-learn does. Infinite
 * values are ordinary; NaN goes to the bin of missing values.
 */
export function binFeatures(matrix: DenseMatrix, options: BinOptions = {}): BinnedMatrix {
  const { rows, columns } = matrix;
  const maxBins = Math.min(options.maxBins ?? MAX_BINS, MAX_BINS);
  const features: FeatureBins[] = [];
  const bins = new Uint8Array(rows * columns);
  const column = new Float64Array(rows);
  for (let feature = 0; feature < columns; feature++) {
    for (let row = 0; row < rows; row++) column[row] = matrix.values[row * columns + feature];
    const found = options.categorical?.has(feature)
      ? categoryBins(column)
      : { limits: findLimits(column, maxBins), categorical: false };
    const count = "count" in found ? found.count : found.limits.length + 1;
    features.push({ ...found, count });
    const target = bins.subarray(feature * rows, (feature + 1) * rows);
    for (let row = 0; row < rows; row++) target[row] = binOf(features[feature], column[row]);
  }
  return { rows, features, bins };
}

/** The bin of one value by limits found earlier. */
export function binOf(feature: FeatureBins, value: number): number {
  if (feature.categorical) return value >= 0 && value < feature.count ? Math.trunc(value) : feature.count;
  if (Number.isNaN(value)) return feature.count;
  const { limits } = feature;
  let low = 0;
  let high = limits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value <= limits[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}

function categoryBins(column: Float64Array) {
  let largest = 0;
  for (const code of column) if (code > largest && code < MAX_BINS) largest = Math.trunc(code);
  return { count: largest + 1, limits: new Float64Array(0), categorical: true };
}

function findLimits(column: Float64Array, maxBins: number): Float64Array {
  // Every k-th row is as good as a random choice here and needs no seed.
  const step = Math.ceil(column.length / ROWS_FOR_QUANTILES);
  const sorted = presentValues(column, step).sort();
  const limits: number[] = [];
  const distinct = distinctValues(sorted, maxBins);
  if (distinct) {
    for (let i = 1; i < distinct.length; i++) limits.push(between(distinct[i - 1], distinct[i]));
  } else {
    for (let i = 1; i < maxBins; i++) {
      const position = (i / maxBins) * (sorted.length - 1);
      const limit = between(sorted[Math.floor(position)], sorted[Math.ceil(position)]);
      if (limits.length === 0 || limit > limits[limits.length - 1]) limits.push(limit);
    }
  }
  return Float64Array.from(limits);
}

function presentValues(column: Float64Array, step: number): Float64Array {
  const values = new Float64Array(Math.ceil(column.length / step));
  let used = 0;
  for (let row = 0; row < column.length; row += step) {
    if (!Number.isNaN(column[row])) values[used++] = column[row];
  }
  return values.subarray(0, used);
}

/** Null if there are more than `most`. */
function distinctValues(sorted: Float64Array, most: number): number[] | null {
  const distinct: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) continue;
    if (distinct.length === most) return null;
    distinct.push(sorted[i]);
  }
  return distinct;
}

/** Halfway, but never the upper value itself by rounding, and never NaN between infinities. */
function between(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  if (Number.isNaN(middle)) return low;
  return middle < high && middle >= low ? middle : low;
}
