/**
 * numpy's `default_rng`: SeedSequence and PCG64. BigInt arithmetic is fast enough here, because the benchmark draws
 * a few thousand numbers from it; every bulk draw comes from the Mersenne Twister.
 */

const POOL_SIZE = 4;
const MASK_64 = (1n << 64n) - 1n;
const MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = (2549297995355413924n << 64n) + 4865540595714422341n;

/** One running generator; drawing moves it. */
export interface Pcg64 {
  state: bigint;
  readonly increment: bigint;
}

/** `np.random.default_rng(seed)` for an integer seed in 0…2^53−1. */
export function defaultRng(seed: number): Pcg64 {
  const [w0, w1, w2, w3] = seedWords(seed);
  const generator = { state: 0n, increment: ((((w2 << 64n) + w3) << 1n) + 1n) & MASK_128 };
  step(generator);
  generator.state = (generator.state + (w0 << 64n) + w1) & MASK_128;
  step(generator);
  return generator;
}

/** A double in [0, 1): `random()`. */
export function pcgDouble(generator: Pcg64): number {
  step(generator);
  const { state } = generator;
  const mixed = (state >> 64n) ^ (state & MASK_64);
  const turn = state >> 122n;
  const word = ((mixed >> turn) | (mixed << (64n - turn))) & MASK_64;
  return Number(word >> 11n) / 9007199254740992;
}

/** `uniform(low, high)`. */
export function pcgUniform(generator: Pcg64, low: number, high: number): number {
  return low + (high - low) * pcgDouble(generator);
}

/** `choice(len(weights), p=weights)`: a position. One double is consumed; a draw equal to a boundary belongs to the next position. */
export function pcgWeightedChoice(generator: Pcg64, weights: readonly number[]): number {
  const draw = pcgDouble(generator);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  const position = weights.findIndex((weight) => {
    reached += weight;
    return draw < reached / total;
  });
  return position === -1 ? weights.length - 1 : position;
}

function step(generator: Pcg64): void {
  generator.state = (generator.state * MULTIPLIER + generator.increment) & MASK_128;
}

/** The four 64-bit words that SeedSequence hands to PCG64. */
function seedWords(seed: number): bigint[] {
  const pool = entropyPool([seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0]);
  let hash = 0x8b51f9dd;
  const words = Array.from({ length: 8 }, (_, i) => {
    const crossed = pool[i % POOL_SIZE] ^ hash;
    hash = Math.imul(hash, 0x58f38ded);
    return BigInt(folded(Math.imul(crossed, hash)));
  });
  return [0, 2, 4, 6].map((i) => words[i] | (words[i + 1] << 32n));
}

function entropyPool(entropy: readonly number[]): number[] {
  let hash = 0x43b0d7e5;
  const mixIn = (value: number) => {
    const crossed = value ^ hash;
    hash = Math.imul(hash, 0x931e8875);
    return folded(Math.imul(crossed, hash));
  };
  const pool = Array.from({ length: POOL_SIZE }, (_, i) => mixIn(entropy[i] ?? 0));
  for (let source = 0; source < POOL_SIZE; source++) {
    for (let target = 0; target < POOL_SIZE; target++) {
      if (source === target) continue;
      pool[target] = folded(Math.imul(0xca01f9dd, pool[target]) - Math.imul(0x4973f715, mixIn(pool[source])));
    }
  }
  return pool;
}

function folded(value: number): number {
  const word = value >>> 0;
  return (word ^ (word >>> 16)) >>> 0;
}
