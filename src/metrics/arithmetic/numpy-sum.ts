const BLOCK = 8192;

/**
 * The sum numpy 1.26 computes: blocks of 8192 values, each summed pairwise, block sums added left to right.
 * A plain loop differs in the last bits, which shows when a score sits on a rounding tie.
 */
export function numpySum(values: Float64Array): number {
  let total = 0;
  for (let start = 0; start < values.length; start += BLOCK) {
    total += pairwise(values, start, Math.min(BLOCK, values.length - start));
  }
  return total;
}

/** numpy's mean; the mean of nothing is NaN. */
export function numpyMean(values: Float64Array): number {
  return numpySum(values) / values.length;
}

/** numpy's mean of `count` values that are worked out block by block and never kept, all of them, at once. */
export function numpyMeanOf(count: number, valueAt: (index: number) => number): number {
  const block = new Float64Array(Math.min(BLOCK, count));
  let total = 0;
  for (let start = 0; start < count; start += BLOCK) {
    const size = Math.min(BLOCK, count - start);
    for (let i = 0; i < size; i++) block[i] = valueAt(start + i);
    total += pairwise(block, 0, size);
  }
  return total / count;
}

const LANES = 8;
/** numpy halves longer rows before it adds them. */
const MOST_IN_LANES = 128;
const ROWS_AT_A_TIME = 1024;

/** The sum of each row over columns, added up as numpy does over an axis that lies together; NaN counts as 0. */
export function numpyRowSums(columns: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(columns[0]?.length ?? 0);
  if (columns.length < LANES) {
    for (const column of columns) addTo(sums, column, 0);
    return sums;
  }
  if (columns.length > MOST_IN_LANES) {
    const cells = new Float64Array(columns.length);
    for (let row = 0; row < sums.length; row++) {
      for (let i = 0; i < cells.length; i++) cells[i] = orZero(columns[i][row]);
      sums[row] = numpySum(cells);
    }
    return sums;
  }
  // The same additions in the same order, column by column, for as many rows as stay near the processor.
  const full = columns.length - (columns.length % LANES);
  const lanes = Array.from({ length: LANES }, () => new Float64Array(Math.min(ROWS_AT_A_TIME, sums.length)));
  const [r0, r1, r2, r3, r4, r5, r6, r7] = lanes;
  for (let start = 0; start < sums.length; start += ROWS_AT_A_TIME) {
    const count = Math.min(ROWS_AT_A_TIME, sums.length - start);
    for (const lane of lanes) lane.fill(0);
    for (let i = 0; i < full; i++) addTo(lanes[i % LANES].subarray(0, count), columns[i], start);
    const block = sums.subarray(start, start + count);
    for (let i = 0; i < count; i++)
      block[i] = r0[i] + r1[i] + (r2[i] + r3[i]) + (r4[i] + r5[i] + (r6[i] + r7[i]));
    for (let i = full; i < columns.length; i++) addTo(block, columns[i], start);
  }
  return sums;
}

const orZero = (value: number) => (Number.isNaN(value) ? 0 : value);

function addTo(sums: Float64Array, column: Float64Array, start: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] += orZero(column[start + i]);
}

function pairwise(values: Float64Array, start: number, count: number): number {
  if (count < 8) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += values[start + i];
    return sum;
  }
  if (count > 128) {
    let half = count >> 1;
    half -= half % 8;
    return pairwise(values, start, half) + pairwise(values, start + half, count - half);
  }
  let [r0, r1, r2, r3] = [values[start], values[start + 1], values[start + 2], values[start + 3]];
  let [r4, r5, r6, r7] = [values[start + 4], values[start + 5], values[start + 6], values[start + 7]];
  const full = count - (count % 8);
  for (let i = start + 8; i < start + full; i += 8) {
    r0 += values[i];
    r1 += values[i + 1];
    r2 += values[i + 2];
    r3 += values[i + 3];
    r4 += values[i + 4];
    r5 += values[i + 5];
    r6 += values[i + 6];
    r7 += values[i + 7];
  }
  let sum = r0 + r1 + (r2 + r3) + (r4 + r5 + (r6 + r7));
  for (let i = start + full; i < start + count; i++) sum += values[i];
  return sum;
}
