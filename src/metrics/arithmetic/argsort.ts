import { bucketStarts, countDigits, DIGITS, descendingKeys, digitPlace, keysInPlace } from "./radix.ts";

const SMALL = 128;

/**
 * The positions of the values from largest to smallest; equal values keep their order. -0 equals 0, infinities are
 * ordinary, NaN is not allowed. A radix sort: a comparator would take seconds for a million values.
 */
export function argsortDescending(values: Float64Array): Uint32Array {
  return values.length <= SMALL ? fewDescending(values) : byKeys(descendingKeys(values));
}

/** The same of values that nobody needs afterwards: they are turned into their own keys, and a copy is saved. */
export function argsortConsumed(values: Float64Array): Uint32Array {
  return values.length <= SMALL ? fewDescending(values) : byKeys(keysInPlace(values));
}

function fewDescending(values: Float64Array): Uint32Array {
  return Uint32Array.from(values, (_, i) => i).sort((a, b) => values[b] - values[a]);
}

function byKeys(keys: Uint32Array): Uint32Array {
  const count = keys.length / 2;
  const counts = countDigits(keys);
  let from = new Uint32Array(count);
  for (let i = 0; i < count; i++) from[i] = i;
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
