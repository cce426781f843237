import { type Random, randomInteger, randomSubset, seededRandom } from "../../learning/seeded-random.ts";

/** Draws settings. Everything a field leaves to chance comes from one of these, so that a seed fixes it all. */
export interface Draw {
  /** A whole number for learners that want a seed of their own. */
  seed(): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Some of the items, in their order. */
  some<T>(items: readonly T[], count: number): T[];
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  /** Two digits of a number whose logarithm is spread evenly: for penalties and rates. */
  scale(low: number, high: number): number;
}

export function drawFrom(seed: number): Draw {
  const random: Random = seededRandom(seed);
  return {
    seed: () => randomInteger(random, 2 ** 30),
    chance: (probability) => random() < probability,
    pick: (items) => items[randomInteger(random, items.length)],
    some: (items, count) => Array.from(randomSubset(items.length, count, random), (i) => items[i]),
    whole: (low, high) => low + randomInteger(random, high - low + 1),
    scale: (low, high) => Number((low * (high / low) ** random()).toPrecision(2)),
  };
}

/** Draws until there are so many of different names. A field that cannot vary enough is a bug, not an endless loop. */
export function drawDifferent<T extends { readonly name: string }>(count: number, make: () => T): T[] {
  const found = new Map<string, T>();
  for (let attempt = 0; found.size < count; attempt++) {
    if (attempt > 50 * count) throw new Error(`only ${found.size} of ${count} different ones could be drawn`);
    const one = make();
    if (!found.has(one.name)) found.set(one.name, one);
  }
  return [...found.values()];
}
