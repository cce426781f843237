import { nextDouble, seededByInteger } from "../../random/mt19937.ts";
import { meanOf, standardError } from "../aggregate/original-aggregate.ts";
import { studentQuantile } from "./student-t.ts";

export interface Interval {
  low: number;
  high: number;
}

/** Below this many seeds a bootstrap over them repeats a handful of values and its intervals are too short. */
export const SEEDS_FOR_BOOTSTRAP = 5;

const RESAMPLES = 4000;
const SEED = 20_260_101;

/** A 95 % interval for the mean from a few independent values, by Student's t. Null for a single value. */
export function studentInterval(values: readonly number[]): Interval | null {
  if (values.length < 2) return null;
  const mean = meanOf(values);
  const reach = studentQuantile(0.975, values.length - 1) * standardError(values);
  return { low: mean - reach, high: mean + reach };
}

/**
 * A 95 % interval for the mean of `values[competition][seed]`, by resampling competitions and, inside each drawn
 * competition, its seeds. It speaks about other competitions of the same kind too, where an interval over seeds
 * speaks about these alone. The draws are the same on every run.
 */
export function bootstrapInterval(values: readonly (readonly number[])[], resamples = RESAMPLES): Interval {
  const generator = seededByInteger(SEED);
  const next = () => nextDouble(generator);
  const resampled = values.map(resampledMean);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let total = 0;
    for (let drawn = 0; drawn < values.length; drawn++)
      total += resampled[Math.floor(next() * values.length)](next);
    means[i] = total / values.length;
  }
  means.sort();
  return { low: means[Math.floor(resamples * 0.025)], high: means[Math.ceil(resamples * 0.975) - 1] };
}

type Draw = () => number;

/**
 * Draws the mean of as many values, with replacement. How often one of two values is drawn is binomial, so a flag
 * needs one draw instead of one for each seed.
 */
function resampledMean(values: readonly number[]): (next: Draw) => number {
  const count = values.length;
  const [one, other = one, ...more] = new Set(values);
  if (more.length > 0)
    return (next) => {
      let sum = 0;
      for (let i = 0; i < count; i++) sum += values[Math.floor(next() * count)];
      return sum / count;
    };
  if (other === one) return () => one;
  const cumulative = cumulativeBinomial(count, values.filter((value) => value === other).length / count);
  return (next) => one + ((other - one) * firstAbove(cumulative, next())) / count;
}

/** Weights are worked out from the middle on: at the ends they may be too small for a double. */
function cumulativeBinomial(count: number, probability: number): Float64Array {
  const weights = new Float64Array(count + 1);
  const odds = probability / (1 - probability);
  const middle = Math.floor(count * probability);
  weights[middle] = 1;
  for (let i = middle; i < count; i++) weights[i + 1] = (weights[i] * odds * (count - i)) / (i + 1);
  for (let i = middle; i > 0; i--) weights[i - 1] = (weights[i] * i) / (odds * (count - i + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return weights.map((weight) => {
    sum += weight / total;
    return sum;
  });
}

/** The first index whose value is above the wanted one; the last index when rounding leaves none. */
function firstAbove(ascending: Float64Array, wanted: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}
