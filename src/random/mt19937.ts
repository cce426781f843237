/**
 * The 32-bit Mersenne Twister behind both numpy's legacy `RandomState` and Python's `random`. The two libraries
 * differ only in how they seed it and in how they turn its words into numbers.
 */

const SIZE = 624;
const MIDDLE = 397;
const ARRAY_SEED = 19650218;

/** One running generator. It is state, not a value: whoever draws from it moves everybody who shares it. */
export interface Mt19937 {
  readonly words: Uint32Array;
  position: number;
}

/** Seeded by one integer below 2^32, as numpy does. Python's `seed(0)` gives other words: see `seededByArray`. */
export function seededByInteger(seed: number): Mt19937 {
  const words = new Uint32Array(SIZE);
  words[0] = seed;
  for (let i = 1; i < SIZE; i++) {
    const previous = words[i - 1];
    words[i] = Math.imul(1812433253, previous ^ (previous >>> 30)) + i;
  }
  return { words, position: SIZE };
}

/** Seeded by a list of 32-bit words, as Python does even for the integer 0, whose key is `[0]`. */
export function seededByArray(key: readonly number[]): Mt19937 {
  const generator = seededByInteger(ARRAY_SEED);
  const { words } = generator;
  let i = 1;
  let j = 0;
  for (let round = Math.max(SIZE, key.length); round > 0; round--) {
    words[i] = (words[i] ^ stirred(words[i - 1], 1664525)) + key[j] + j;
    i = wrap(words, i + 1);
    j = j + 1 === key.length ? 0 : j + 1;
  }
  for (let round = SIZE - 1; round > 0; round--) {
    words[i] = (words[i] ^ stirred(words[i - 1], 1566083941)) - i;
    i = wrap(words, i + 1);
  }
  words[0] = 0x80000000;
  return generator;
}

/** The next 32 random bits as an unsigned integer. */
export function nextWord(generator: Mt19937): number {
  if (generator.position === SIZE) refill(generator);
  let y = generator.words[generator.position++];
  y ^= y >>> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return (y ^ (y >>> 18)) >>> 0;
}

/** A double in [0, 1) with 53 random bits; consumes two words. numpy and Python agree on it. */
export function nextDouble(generator: Mt19937): number {
  const high = nextWord(generator) >>> 5;
  const low = nextWord(generator) >>> 6;
  return (high * 67108864 + low) / 9007199254740992;
}

function stirred(word: number, factor: number): number {
  return Math.imul(word ^ (word >>> 30), factor);
}

function wrap(words: Uint32Array, i: number): number {
  if (i < SIZE) return i;
  words[0] = words[SIZE - 1];
  return 1;
}

function refill(generator: Mt19937): void {
  const { words } = generator;
  for (let k = 0; k < SIZE; k++) {
    const y = (words[k] & 0x80000000) | (words[k + 1 === SIZE ? 0 : k + 1] & 0x7fffffff);
    const far = k + MIDDLE < SIZE ? k + MIDDLE : k + MIDDLE - SIZE;
    words[k] = words[far] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
  generator.position = 0;
}
