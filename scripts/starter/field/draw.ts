import { randomInteger, seededRandom } from "../../../src/learning/seeded-random.ts";
import type { Solution } from "./field.ts";

/** Settings at random. The same seed draws the same settings. */
export interface Draw {
  pick<T>(choices: readonly T[]): T;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  /** Between two positive numbers, evenly on a logarithmic scale, to two digits. */
  scale(low: number, high: number): number;
  chance(probability: number): boolean;
}

export function drawFrom(seed: number): Draw {
  const random = seededRandom(seed);
  return {
    pick: (choices) => choices[randomInteger(random, choices.length)],
    whole: (low, high) => low + randomInteger(random, high - low + 1),
    scale: (low, high) => Number((low * (high / low) ** random()).toPrecision(2)),
    chance: (probability) => random() < probability,
  };
}

const MOST_DRAWS = 1000;

/** `count` solutions with settings at random; what was drawn before, by its name, is drawn again. */
export function variants(count: number, seed: number, make: (draw: Draw) => Solution): Solution[] {
  const draw = drawFrom(seed);
  const found = new Map<string, Solution>();
  for (let i = 0; i < MOST_DRAWS && found.size < count; i++) {
    const solution = make(draw);
    if (!found.has(solution.name)) found.set(solution.name, solution);
  }
  if (found.size < count) throw new Error(`There are not ${count} different settings.`);
  return [...found.values()];
}
