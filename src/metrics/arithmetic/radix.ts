/** How many digits of eleven bits a double has; the highest digit of each half is only ten bits long. */
export const DIGITS = 6;
const RADIX = 2048;

/** The half (0 low, 1 high) of a key that holds a digit, and the digit's place in it. */
export function digitPlace(digit: number): { half: number; shift: number } {
  return { half: digit < 3 ? 0 : 1, shift: (digit % 3) * 11 };
}

/**
 * Per value two words (low, high) whose unsigned order is the reverse of the numbers' order. -0 becomes 0; NaN has no
 * sensible place. Assumes a little-endian machine, as every platform Node is distributed for but one is.
 */
export function descendingKeys(values: Float64Array): Uint32Array {
  return keysInPlace(values.slice());
}

/** The same in the memory of the values, which are no values afterwards; equal values have equal keys. */
export function keysInPlace(values: Float64Array): Uint32Array {
  for (let i = 0; i < values.length; i++) values[i] += 0;
  const keys = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
  turnPositives(keys);
  return keys;
}

/** The values behind `descendingKeys`, in the memory of the keys. */
export function valuesOfKeys(keys: Uint32Array): Float64Array {
  turnPositives(keys);
  return new Float64Array(keys.buffer);
}

/** Negative doubles grow in bits as they fall in value; of the others every bit but the sign is turned, or turned back. */
function turnPositives(keys: Uint32Array): void {
  for (let high = 1; high < keys.length; high += 2) {
    if (keys[high] >>> 31 === 1) continue;
    keys[high] ^= 0x7fffffff;
    keys[high - 1] = ~keys[high - 1];
  }
}

/** How often each digit has each value, digit after digit. */
export function countDigits(keys: Uint32Array): Uint32Array {
  const counts = new Uint32Array(DIGITS * RADIX);
  for (let i = 0; i < keys.length; i += 2) {
    const low = keys[i];
    const high = keys[i + 1];
    counts[low & 0x7ff]++;
    counts[RADIX + ((low >>> 11) & 0x7ff)]++;
    counts[2 * RADIX + (low >>> 22)]++;
    counts[3 * RADIX + (high & 0x7ff)]++;
    counts[4 * RADIX + ((high >>> 11) & 0x7ff)]++;
    counts[5 * RADIX + (high >>> 22)]++;
  }
  return counts;
}

/** Where each bucket of a digit begins, or null if one bucket holds everything and the pass would change nothing. */
export function bucketStarts(counts: Uint32Array, digit: number, total: number): Uint32Array | null {
  const starts = counts.subarray(digit * RADIX, (digit + 1) * RADIX);
  let next = 0;
  for (let bucket = 0; bucket < RADIX; bucket++) {
    const size = starts[bucket];
    if (size === total) return null;
    starts[bucket] = next;
    next += size;
  }
  return starts;
}
