import { drawSlice, type SliceColumns, sliceColumns, type Volume } from "./volume.ts";

type Axes = { slice: Float64Array; row: Float64Array; column: Float64Array };
/** Positions `first` … `last` of the values from `base` on, and the least of them. */
type Span = { base: number; first: number; last: number; least: number };
type Target = { columns: SliceColumns; height: number; width: number };

/**
 * Hausdorff distance of two volumes in units of the true volume's diagonal; null when both are empty, which means
 * "skip". One empty side, or a prediction over ten times larger than the truth (never the reverse), scores 1.
 *
 * The result is the floating-point value of the brute-force search to the last bit: rounded addition is monotone,
 * so minimising slice, then row, then column, in the order the terms are added, loses nothing. Time grows with
 * foreground times extent, memory with the foreground plus a few planes.
 */
export function hausdorffScore(predicted: Volume, truth: Volume): number | null {
  const predictedColumns = sliceColumns(predicted);
  const truthColumns = sliceColumns(truth);
  const predictedVoxels = predictedColumns.slices.length;
  const truthVoxels = truthColumns.slices.length;
  if (predictedVoxels === 0 && truthVoxels === 0) return null;
  if (predictedVoxels === 0 || truthVoxels === 0 || predictedVoxels > 10 * truthVoxels) return 1;
  const axes: Axes = {
    slice: coordinates(Math.max(predicted.slices.length, truth.slices.length), truth.slices.length),
    row: coordinates(Math.max(predicted.height, truth.height), truth.height),
    column: coordinates(Math.max(predicted.width, truth.width), truth.width),
  };
  const oneWay = farthest(predicted, { ...truth, columns: truthColumns }, axes, 0);
  const bothWays = farthest(truth, { ...predicted, columns: predictedColumns }, axes, oneWay);
  return Math.sqrt(bothWays) / Math.sqrt(3);
}

/** The largest squared distance from a voxel of `from` to its nearest voxel of `to`, or `known` if that is larger. */
function farthest(from: Volume, to: Target, axes: Axes, known: number): number {
  const { height, width } = to;
  const occupied = occupiedPositions(to.columns.offsets);
  const cursors = to.columns.offsets.slice(0, height * width);
  const alongSlices = new Float64Array(height * width).fill(Number.POSITIVE_INFINITY);
  const columns = occupiedSpans(occupied, height);
  const alongRows = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
  const row: Span = { base: 0, first: columns[0].number, last: columns[columns.length - 1].number, least: 0 };
  const drawn = new Uint8Array(from.height * from.width);
  let max = known;
  for (const [slice, masks] of from.slices.entries()) {
    if (drawSlice(masks, drawn) === 0) continue;
    nearestSlices(slice, to.columns, occupied, cursors, axes.slice, alongSlices);
    for (const column of columns) column.least = leastOf(alongSlices, column);
    for (let y = 0; y < from.height; y++) {
      let rowReady = false;
      for (let x = 0; x < from.width; x++) {
        if (drawn[x * from.height + y] === 0) continue;
        if (y < height && x < width && alongSlices[x * height + y] <= max) continue;
        if (!rowReady) {
          for (const column of columns)
            alongRows[column.number] = leastSum(alongSlices, column, axes.row, y, -1);
          row.least = leastOf(alongRows, row);
          rowReady = true;
        }
        max = Math.max(max, leastSum(alongRows, row, axes.column, x, max));
      }
    }
  }
  return max;
}

/** For every occupied position, the squared distance from `slice` to the nearest slice set there. */
function nearestSlices(
  slice: number,
  { offsets, slices }: SliceColumns,
  occupied: Int32Array,
  cursors: Int32Array,
  axis: Float64Array,
  result: Float64Array,
): void {
  const here = axis[slice];
  for (const at of occupied) {
    const end = offsets[at + 1];
    let cursor = cursors[at];
    while (cursor < end && slices[cursor] <= slice) cursor++;
    cursors[at] = cursor;
    const below = cursor > offsets[at] ? here - axis[slices[cursor - 1]] : Number.POSITIVE_INFINITY;
    const above = cursor < end ? axis[slices[cursor]] - here : Number.POSITIVE_INFINITY;
    const distance = Math.min(below, above);
    result[at] = distance * distance;
  }
}

/**
 * The minimum over the span's positions i of the value at i plus the squared distance between `at` and i on the axis.
 * Walks outward and stops once even the span's least value could not win, or once the answer is known to be at most
 * `enough` (then it is only an upper bound).
 */
function leastSum(values: Float64Array, span: Span, axis: Float64Array, at: number, enough: number): number {
  const { base, first, last, least } = span;
  const here = axis[at];
  let best = Number.POSITIVE_INFINITY;
  for (let step = Math.max(0, at - last, first - at); ; step++) {
    let nearer = Number.POSITIVE_INFINITY;
    const before = at - step;
    if (before >= first) {
      const distance = here - axis[before];
      nearer = distance * distance;
      best = Math.min(best, values[base + before] + nearer);
    }
    const after = at + step;
    if (after <= last) {
      const distance = axis[after] - here;
      const squared = distance * distance;
      best = Math.min(best, values[base + after] + squared);
      nearer = Math.min(nearer, squared);
    }
    if (best <= enough || least + nearer >= best) return best;
  }
}

function leastOf(values: Float64Array, { base, first, last }: Span): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = base + first; i <= base + last; i++) if (values[i] < least) least = values[i];
  return least;
}

/** The columns of the plane that hold anything, each with its outermost occupied rows. */
function occupiedSpans(occupied: Int32Array, height: number): (Span & { number: number })[] {
  const spans: (Span & { number: number })[] = [];
  for (const at of occupied) {
    const number = Math.floor(at / height);
    const row = at % height;
    const latest = spans.at(-1);
    if (latest?.number === number) latest.last = row;
    else spans.push({ number, base: number * height, first: row, last: row, least: 0 });
  }
  return spans;
}

function occupiedPositions(offsets: Int32Array): Int32Array {
  const positions: number[] = [];
  for (let at = 0; at + 1 < offsets.length; at++) if (offsets[at] < offsets[at + 1]) positions.push(at);
  return Int32Array.from(positions);
}

function coordinates(count: number, dimension: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => index / dimension);
}
