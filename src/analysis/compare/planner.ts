import { meanOf } from "../aggregate/original-aggregate.ts";
import { variance, withinVariance } from "../statistics/intervals.ts";
import { studentPower } from "../statistics/noncentral-t.ts";
import { MIN_TESTED } from "./paired-test.ts";

/** What it would take to find a difference as large as the observed one in four cases of five. */
export interface Plan {
  /** How often the test finds it with as many competitions and seeds as there are. */
  power: number;
  /** Seeds for the same number of competitions; null when no number of them is enough. */
  seeds: number | null;
  /** Competitions with as many seeds as there are; null when more than anybody could run. */
  competitions: number | null;
  /** Seeds until the interval over seeds leaves out zero: about these competitions alone. */
  seedsHere: number | null;
}

/** A difference and how it varies: between competitions, and between seeds of one of them. */
export interface Effect {
  mean: number;
  between: number;
  within: number;
}

const POWER = 0.8;
const MAX_SEEDS = 100_000;
const MAX_COMPETITIONS = 100_000;

/** From `differences[competition][pair]`. Null when there is no difference, or nothing to tell its spread from. */
export function planFor(differences: readonly (readonly number[])[]): Plan | null {
  const effect = effectOf(differences);
  if (effect === null || effect.mean === 0) return null;
  const seeds = Math.max(1, Math.round(meanOf(differences.map(({ length }) => length))));
  const count = differences.length;
  return {
    power: powerOf(effect, count, seeds),
    seeds: smallest(1, MAX_SEEDS, (n) => powerOf(effect, count, n) >= POWER),
    competitions: smallest(MIN_TESTED, MAX_COMPETITIONS, (n) => powerOf(effect, n, seeds) >= POWER),
    seedsHere: seedsToSeparate(effect, count),
  };
}

/** Null where no competition has two pairs: the spread of seeds is not known then. */
function effectOf(differences: readonly (readonly number[])[]): Effect | null {
  const within = withinVariance(differences);
  if (within === null) return null;
  const noise = meanOf(differences.map(({ length }) => within / length));
  const spread = differences.length < 2 ? 0 : variance(differences.map(meanOf));
  return { mean: meanOf(differences.flat()), between: Math.max(0, spread - noise), within };
}

/** How often the test over competitions finds the effect: that of Student's t, which flipping them all but equals. */
export function powerOf({ mean, between, within }: Effect, competitions: number, seeds: number): number {
  if (competitions < MIN_TESTED) return 0;
  const error = Math.sqrt((between + within / seeds) / competitions);
  if (error === 0) return mean === 0 ? 0 : 1;
  return studentPower(Math.abs(mean) / error, competitions - 1);
}

/**
 * Seeds until the interval over seeds leaves out zero in four cases of five. Every further seed adds a degree of
 * freedom for each competition.
 */
export function seedsToSeparate(
  { mean, within }: Omit<Effect, "between">,
  competitions: number,
): number | null {
  if (mean === 0 || within === 0) return null;
  return smallest(2, MAX_SEEDS, (seeds) => {
    const error = Math.sqrt(within / (competitions * seeds));
    return studentPower(Math.abs(mean) / error, competitions * (seeds - 1)) >= POWER;
  });
}

/** By bisection: power grows with what is counted. */
function smallest(from: number, to: number, enough: (count: number) => boolean): number | null {
  if (!enough(to)) return null;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (enough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
