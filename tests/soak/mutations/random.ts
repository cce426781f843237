/** Seeded draws: a case is known by its number alone, on every machine. */
export interface Random {
  /** A whole number from 0 to `below` − 1. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(share: number): boolean;
  bytes(count: number): Buffer;
}

/** mulberry32 from a hashed seed, so that neighbouring seeds give unrelated draws. */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (seed >>> 13);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick: (from) => from[int(from.length)],
    chance: (share) => next() < share,
    bytes: (count) => Buffer.from(Uint8Array.from({ length: count }, () => int(256))),
  };
}
