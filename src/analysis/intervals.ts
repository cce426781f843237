import { nextDouble, seededByInteger } from "../random/mt19937.ts";
import { meanOf, standardError } from "./original-aggregate.ts";
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
  const below = (count: number) => Math.floor(nextDouble(generator) * count);
  const means = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let total = 0;
    for (let drawn = 0; drawn < values.length; drawn++) {
      const seeds = values[below(values.length)];
      let sum = 0;
      for (let seed = 0; seed < seeds.length; seed++) sum += seeds[below(seeds.length)];
      total += sum / seeds.length;
    }
    means[i] = total / values.length;
  }
  means.sort();
  return { low: means[Math.floor(resamples * 0.025)], high: means[Math.ceil(resamples * 0.975) - 1] };
}
