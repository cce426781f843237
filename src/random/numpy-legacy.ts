import { type Mt19937, nextWord, seededByInteger } from "./mt19937.ts";

/** numpy's `RandomState(seed)`; `np.random.seed(seed)` starts the same stream. Its `uniform()` is `nextDouble`. */
export function randomState(seed: number): Mt19937 {
  return seededByInteger(seed);
}

/** An integer in 0…max, both included, max below 2^32. Nothing is drawn when max is 0. */
export function interval(generator: Mt19937, max: number): number {
  if (max === 0) return 0;
  const mask = maskFor(max);
  for (;;) {
    const value = (nextWord(generator) & mask) >>> 0;
    if (value <= max) return value;
  }
}

/** `randint(low, high)`: high is excluded, unlike in Python's `random.randint`. */
export function randint(generator: Mt19937, low: number, high: number): number {
  return low + interval(generator, high - 1 - low);
}

/** `permutation(count)`. One 32-bit word per element and no more, so that 55 million rows fit in 220 MB. */
export function permutation(generator: Mt19937, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  shuffle(generator, order);
  return order;
}

/** `shuffle(items)`, in place. */
export function shuffle<T>(generator: Mt19937, items: { [index: number]: T; readonly length: number }): void {
  const partnerOf = shufflePartners(generator, items.length);
  for (let i = items.length - 1; i > 0; i--) {
    const j = partnerOf(i);
    const kept = items[i];
    items[i] = items[j];
    items[j] = kept;
  }
}

/** With which earlier item each one changes places in `shuffle`; to be asked from the last item to the second, once each. */
export function shufflePartners(generator: Mt19937, count: number): (item: number) => number {
  let mask = maskFor(Math.max(count - 1, 1));
  return (item) => {
    if (item <= mask >>> 1) mask >>>= 1;
    for (;;) {
      const drawn = (nextWord(generator) & mask) >>> 0;
      if (drawn <= item) return drawn;
    }
  };
}

/** `choice(count, size, replace=False)`: the whole permutation is drawn however few are taken. */
export function choiceWithoutReplacement(generator: Mt19937, count: number, size: number): Uint32Array {
  return permutation(generator, count).subarray(0, size);
}

/** The smallest 2^k − 1 that is not below max. */
function maskFor(max: number): number {
  return 0xffffffff >>> Math.clz32(max);
}
