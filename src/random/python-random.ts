import { type Mt19937, nextWord, seededByArray } from "./mt19937.ts";

/** Python's `random.Random(seed)` for an integer seed; the sign is ignored. Its `random()` is `nextDouble`. */
export function pythonRandom(seed: number | bigint): Mt19937 {
  const key: number[] = [];
  let rest = BigInt(seed);
  if (rest < 0n) rest = -rest;
  do {
    key.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return seededByArray(key);
}

/** An integer in 0…limit−1, limit below 2^32. A limit of 2 takes two bits and throws about half of the words away. */
export function below(generator: Mt19937, limit: number): number {
  const unused = Math.clz32(limit);
  for (;;) {
    const value = nextWord(generator) >>> unused;
    if (value < limit) return value;
  }
}

/** `randint(low, high)`: high is included, unlike in numpy. */
export function pythonRandint(generator: Mt19937, low: number, high: number): number {
  return low + below(generator, high - low + 1);
}

/** `choice(items)`; the list must not be empty. */
export function pythonChoice<T>(generator: Mt19937, items: readonly T[]): T {
  return items[below(generator, items.length)];
}

/** `shuffle(items)`, in place. */
export function pythonShuffle<T>(
  generator: Mt19937,
  items: { [index: number]: T; readonly length: number },
): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = below(generator, i + 1);
    const kept = items[i];
    items[i] = items[j];
    items[j] = kept;
  }
}

/**
 * `sample(range(count), size)`, size at most count: positions in the order drawn. Small populations are drawn from a
 * shrinking pool, large ones with redraws; the two consume the generator differently, so the threshold is part of the result.
 */
export function pythonSample(generator: Mt19937, count: number, size: number): number[] {
  const poolLimit = 21 + (size > 5 ? 4 ** Math.ceil(Math.log(size * 3) / Math.log(4)) : 0);
  return count <= poolLimit ? fromPool(generator, count, size) : byRedraw(generator, count, size);
}

function fromPool(generator: Mt19937, count: number, size: number): number[] {
  const pool = Array.from({ length: count }, (_, i) => i);
  const drawn: number[] = [];
  for (let left = count; left > count - size; left--) {
    const j = below(generator, left);
    drawn.push(pool[j]);
    pool[j] = pool[left - 1];
  }
  return drawn;
}

function byRedraw(generator: Mt19937, count: number, size: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < size) drawn.add(below(generator, count));
  return [...drawn];
}
