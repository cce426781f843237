import { meanOf } from "../aggregate/original-aggregate.ts";
import { studentQuantile } from "./student-t.ts";

export interface Interval {
  low: number;
  high: number;
}

/** From fewer competitions nothing is said about others. */
const MIN_COMPETITIONS = 3;
/** Competitions differ from each other at least this much of what coins would; without it chance equality misleads. */
const MIN_DESIGN_EFFECT = 0.25;

/**
 * A 95 % interval for the mean of all `values[competition][run]` over other seeds, about these competitions: Student's t
 * with the spread of seeds inside competitions, pooled as in a one-way analysis of variance. Runs of different
 * competitions are independent, so every competition that was run twice tells of it. Null where none was, or none
 * varied: no spread was seen, and an interval of no width would claim that there is none.
 */
export function overSeedsInterval(values: readonly (readonly number[])[]): Interval | null {
  const runs = values.flat();
  const degrees = runs.length - values.length;
  const within = withinVariance(values);
  if (within === null || within === 0) return null;
  const mean = meanOf(runs);
  const reach = studentQuantile(0.975, degrees) * Math.sqrt(within / runs.length);
  return { low: mean - reach, high: mean + reach };
}

/** The variance between seeds of one competition, pooled over all; null where no competition was run twice. */
export function withinVariance(values: readonly (readonly number[])[]): number | null {
  const repeated = values.filter((runs) => runs.length > 1);
  const degrees = repeated.reduce((sum, runs) => sum + runs.length - 1, 0);
  if (degrees === 0) return null;
  return repeated.reduce((sum, runs) => sum + (runs.length - 1) * variance(runs), 0) / degrees;
}

/**
 * A 95 % interval for a rate in per cent over competitions like these, `rates[competition]`: Wilson's, for as many
 * coins as these competitions are worth, with Student's t for so many. It never leaves 0 to 100 and has a width even
 * where all competitions agree.
 */
export function rateInterval(rates: readonly number[]): Interval | null {
  const count = rates.length;
  if (count < MIN_COMPETITIONS) return null;
  const rate = meanOf(rates) / 100;
  const coin = rate * (1 - rate);
  const observed = variance(rates) / 100 ** 2;
  const effect = coin === 0 ? 1 : Math.max(MIN_DESIGN_EFFECT, (observed * (count - 1)) / count / coin);
  const worth = count / effect;
  const square = studentQuantile(0.975, count - 1) ** 2;
  const middle = (rate + square / (2 * worth)) / (1 + square / worth);
  const reach = Math.sqrt(square * (coin / worth + square / (4 * worth * worth))) / (1 + square / worth);
  return { low: 100 * Math.max(0, middle - reach), high: 100 * Math.min(1, middle + reach) };
}

/**
 * A 95 % interval for the mean of all values over competitions like these: Student's t over competitions, each with
 * as much weight as it has runs. Null where competitions do not differ.
 */
export function overCompetitionsInterval(values: readonly (readonly number[])[]): Interval | null {
  const count = values.length;
  if (count < MIN_COMPETITIONS) return null;
  const runs = values.flat();
  const mean = meanOf(runs);
  const squares = values.reduce(
    (sum, own) => sum + own.reduce((total, value) => total + value - mean, 0) ** 2,
    0,
  );
  const error = Math.sqrt((squares * count) / (count - 1)) / runs.length;
  // Rounding alone is not a spread.
  if (error <= 1e-12 * Math.max(1, Math.abs(mean))) return null;
  const reach = studentQuantile(0.975, count - 1) * error;
  return { low: mean - reach, high: mean + reach };
}

/** The sample variance. Equal values have none, whatever rounding makes of their mean. */
export function variance(values: readonly number[]): number {
  if (values.every((value) => value === values[0])) return 0;
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
