import { type Day, HOLIDAYS, holidayOf } from "./calendar.ts";
import { type Forecaster, groupMeans, lastDays, levelOf, meanOf, type Series } from "./series.ts";

/** The same weekday of earlier years, at the nearest date; older years count less and are raised to today's level. */
export function earlierYears(options: {
  readonly years: number;
  readonly decay: number;
  readonly damping: number | null;
  readonly byDate?: boolean;
}): Forecaster {
  return (history, future) => {
    const first = history.days[0].index;
    const level = options.damping === null ? () => 1 : levelOf(history, options.damping);
    return Float64Array.from(future, (day) => {
      let [sum, weights] = [0, 0];
      for (let back = 1; back <= options.years; back++) {
        const shift = options.byDate ? Math.round(365.25 * back) : 7 * Math.round((365.25 * back) / 7);
        const at = day.index - shift - first;
        if (at < 0 || at >= history.births.length) continue;
        const weight = options.decay ** (back - 1);
        sum += (weight * history.births[at] * level(day)) / level(history.days[at]);
        weights += weight;
      }
      return weights > 0 ? sum / weights : level(day);
    });
  };
}

/** The mean of all past days that agree with a day in these keys, relative to their level. */
export function groupedMeans(options: {
  readonly years: number;
  readonly damping: number;
  readonly key: (day: Day) => string;
}): Forecaster {
  return (history, future) => {
    const recent = lastDays(history, Math.round(365.25 * options.years));
    const level = levelOf(history, options.damping);
    const ratios = recent.births.map((births, i) => births / level(recent.days[i]));
    const means = groupMeans(recent.days.map(options.key), ratios);
    const usual = meanOf(ratios);
    return Float64Array.from(future, (day) => level(day) * (means.get(options.key(day)) ?? usual));
  };
}

export interface Decomposition {
  /** Years from which the season, and from which the week, is learned. */
  readonly seasonYears: number;
  readonly weekYears: number;
  /** Days on each side over which the season is smoothed. */
  readonly window: number;
  readonly damping: number;
  readonly holidays: boolean;
}

/** Level × season × weekday (× holiday), each the mean of what the others leave. */
export function decomposition(options: Decomposition): Forecaster {
  return (history, future) => {
    const level = levelOf(history, options.damping);
    const recent = lastDays(history, Math.round(365.25 * options.seasonYears));
    const ratios = recent.births.map((births, i) => births / level(recent.days[i]));
    const recentWeek = lastDays(history, Math.round(365.25 * options.weekYears));
    const weekRatios = recentWeek.births.map((births, i) => births / level(recentWeek.days[i]));
    let week = groupMeans(
      recentWeek.days.map(({ weekday }) => weekday),
      weekRatios,
    );
    const longWeek = groupMeans(
      recent.days.map(({ weekday }) => weekday),
      ratios,
    );
    const season = smoothSeason(
      recent,
      ratios.map((ratio, i) => ratio / longWeek.get(recent.days[i].weekday)!),
      options,
    );
    week = groupMeans(
      recentWeek.days.map(({ weekday }) => weekday),
      weekRatios.map((ratio, i) => ratio / season[recentWeek.days[i].season]),
    );
    const plain = (day: Day) => season[day.season] * (week.get(day.weekday) ?? 1);
    const factors = options.holidays ? holidayFactors(recent, ratios, plain) : new Map<string, number>();
    return Float64Array.from(
      future,
      (day) => level(day) * plain(day) * (factors.get(holidayOf(day) ?? "") ?? 1),
    );
  };
}

/** The mean by date, then over the dates around it; holidays do not count if they have factors of their own. */
function smoothSeason(
  { days }: Series,
  ratios: Float64Array,
  { window, holidays }: Decomposition,
): Float64Array {
  const [sums, counts] = [new Float64Array(366), new Float64Array(366)];
  for (const [i, day] of days.entries()) {
    if (holidays && holidayOf(day)) continue;
    sums[day.season] += ratios[i];
    counts[day.season]++;
  }
  return sums.map((_, at) => {
    let [sum, count] = [0, 0];
    for (let shift = -window; shift <= window || count === 0; shift++) {
      const other = (((at + shift) % 365) + 365) % 365;
      sum += sums[other];
      count += counts[other];
    }
    return sum / count;
  });
}

function holidayFactors(
  { days }: Series,
  ratios: Float64Array,
  plain: (day: Day) => number,
): Map<string, number> {
  const own = days.map((day, i) => ({ name: holidayOf(day), factor: ratios[i] / plain(day) }));
  return new Map(
    HOLIDAYS.flatMap((name): [string, number][] => {
      const factors = own.filter((day) => day.name === name).map(({ factor }) => factor);
      return factors.length > 0 ? [[name, meanOf(factors)]] : [];
    }),
  );
}

/** Level, slope and week by exponential smoothing, on the series freed from its season if a window is given. */
export function smoothing(options: {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly window: number | null;
  readonly years: number;
}): Forecaster {
  return (history, future) => {
    const recent = lastDays(history, Math.round(365.25 * options.years));
    const levelAt = levelOf(history, 0);
    const ratios = recent.births.map((births, i) => births / levelAt(recent.days[i]));
    const season =
      options.window === null
        ? new Float64Array(366).fill(1)
        : smoothSeason(recent, ratios, { window: options.window, holidays: false } as Decomposition);
    const week = new Float64Array(7).fill(1);
    let [level, slope] = [meanOf(recent.births.subarray(0, 28)), 0];
    for (const [i, { weekday, season: date }] of recent.days.entries()) {
      const value = recent.births[i] / season[date];
      const before = level;
      level = options.alpha * (value / week[weekday]) + (1 - options.alpha) * (level + slope);
      slope = options.beta * (level - before) + (1 - options.beta) * slope;
      week[weekday] = (options.gamma * value) / level + (1 - options.gamma) * week[weekday];
    }
    return Float64Array.from(
      future,
      ({ weekday, season: date }, i) => (level + slope * Math.min(i, 180)) * week[weekday] * season[date],
    );
  };
}
