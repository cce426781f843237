import { bucketStarts, countDigits, DIGITS, descendingKeys, digitPlace } from "./radix.ts";

const SMALL = 128;

/**
 * The positions of the values from largest to smallest; equal values keep their order. -0 equals 0, infinities are
 * ordinary, NaN is not allowed. A radix sort: a comparator would take seconds for a million values.
 */
export function argsortDescending(values: Float64Array): Uint32Array {
  const count = values.length;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  if (count <= SMALL) return order.sort((a, b) => values[b] - values[a]);

  const keys = descendingKeys(values);
  const counts = countDigits(keys);
  let from = order;
  let to = new Uint32Array(count);
  for (let digit = 0; digit < DIGITS; digit++) {
    const starts = bucketStarts(counts, digit, count);
    if (starts === null) continue;
    const { half, shift } = digitPlace(digit);
    for (let i = 0; i < count; i++) {
      const position = from[i];
      to[starts[(keys[2 * position + half] >>> shift) & 0x7ff]++] = position;
    }
    [from, to] = [to, from];
  }
  return from;
}
