import type { Day } from "./calendar.ts";

/** Days in order without a gap, and the births of each. */
export interface Series {
  readonly days: readonly Day[];
  readonly births: Float64Array;
}

/** Foretells the days after the series. */
export type Forecaster = (history: Series, future: readonly Day[]) => Float64Array;

export function lastDays({ days, births }: Series, count: number): Series {
  const from = Math.max(0, days.length - count);
  return { days: days.slice(from), births: births.slice(from) };
}

/** The series up to the end of a year. */
export function until(series: Series, year: number): Series {
  const count = series.days.findIndex((day) => day.year > year);
  return count < 0 ? series : { days: series.days.slice(0, count), births: series.births.slice(0, count) };
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

export function medianOf(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The mean of each group; groups are texts or numbers. */
export function groupMeans<K>(keys: readonly K[], values: ArrayLike<number>): Map<K, number> {
  const sums = new Map<K, [number, number]>();
  for (const [i, key] of keys.entries()) {
    const [sum, count] = sums.get(key) ?? [0, 0];
    sums.set(key, [sum + values[i], count + 1]);
  }
  return new Map([...sums].map(([key, [sum, count]]) => [key, sum / count]));
}

/**
 * The level of each day: yearly means, joined by straight lines from the middle of one year to the middle of the next.
 * Beyond the last middle the last year's slope goes on, times `damping`.
 */
export function levelOf(history: Series, damping: number): (day: Day) => number {
  const means = [
    ...groupMeans(
      history.days.map(({ year }) => year),
      history.births,
    ),
  ].sort(([a], [b]) => a - b);
  return ({ year, season }) => {
    const at = year + season / 365 - 0.5 - means[0][0];
    const from = Math.min(Math.max(Math.floor(at), 0), Math.max(0, means.length - 2));
    const slope = means.length > 1 ? means[from + 1][1] - means[from][1] : 0;
    const beyond = Math.max(0, at - (means.length - 1));
    return means[from][1] + slope * (at - from - beyond) + damping * slope * beyond;
  };
}
