import { applyBlend, selectGreedily } from "../../../learning/ensemble/greedy-selection.ts";
import { hashNgrams } from "../../../learning/features/ngrams.ts";
import { predictLinear } from "../../../learning/linear/linear-model.ts";
import { fitRidge } from "../../../learning/linear/ridge.ts";
import { mae } from "../../../metrics/regression/mae.ts";
import { rmse } from "../../../metrics/regression/rmse.ts";
import { type CalendarDay, calendarDay, dayNumber } from "../reading/calendar.ts";
import { toNumber } from "../reading/cells.ts";
import { textsOf } from "../reading/text-table.ts";
import { numberText } from "../row-target.ts";
import type { Solver } from "../workbench.ts";

interface Series {
  readonly days: readonly number[];
  readonly values: Float64Array;
}

interface ForecastSettings {
  readonly name: string;
  /** Only so many days before the forecast are learned from. */
  readonly history: number;
  /** How much of the last years' growth is expected to go on. */
  readonly growth: number;
}

const YEAR = 365.25;
const WEEKS_OF_A_YEAR = 364;
const STRETCHES = 3;
const HARMONICS = 6;
const SECONDS_A_DAY = 4e-5;

/**
 * One number a day, to be continued. Each setting is tried on the last stretches as long as the forecast, from what
 * lies before each; the blend of those stretches is then made from the whole series.
 */
export const solveForecast: Solver<"forecast"> = async (task, { view, submit, journal, clock, tell }) => {
  const { sample, train, metric } = view;
  const [, target] = sample.header;
  const dates = train && textsOf(train, task.date);
  const cells = train && textsOf(train, target);
  if (!dates || !cells) return;
  const order = dates.map((_, row) => row).filter((row) => !Number.isNaN(toNumber(cells[row])));
  order.sort((a, b) => dayNumber(dates[a]) - dayNumber(dates[b]));
  const series: Series = {
    days: order.map((row) => dayNumber(dates[row])),
    values: Float64Array.from(order, (row) => toNumber(cells[row])),
  };
  const asked = Array.from(sample.columns[0], dayNumber);
  const horizon = asked.length;
  const stretches = Math.min(STRETCHES, Math.floor(series.days.length / horizon) - 2);
  if (stretches < 1) return;
  const measure = metric.name === "mae" || metric.name === null ? mae : rmse;
  const place = async (values: Float64Array, score: number, chosen: Record<string, unknown>) => {
    const outcome = await submit([Array.from(values, numberText)]);
    if (outcome.status === "refused") return;
    journal.settings = { stretches, ...chosen };
    journal.score = score;
    journal.measuredOn = `the last ${stretches} stretches of ${horizon} days, each forecast from what lies before it`;
    tell();
  };
  const settings = affordable(possibleSettings(), stretches, series.days.length, clock.plannedSeconds);
  const truth = series.values.slice(series.values.length - stretches * horizon);
  const tried: Float64Array[] = [];
  for (const setting of settings) {
    if (clock.isOver()) break;
    const predicted = new Float64Array(truth.length);
    for (let stretch = 0; stretch < stretches; stretch++) {
      const from = series.days.length - (stretches - stretch) * horizon;
      const past = { days: series.days.slice(0, from), values: series.values.slice(0, from) };
      predicted.set(forecast(past, series.days.slice(from, from + horizon), setting), stretch * horizon);
    }
    const score = measure(truth, predicted);
    journal.steps.push({ name: setting.name, score, note: `${stretches} stretches` });
    tried.push(predicted);
    // Something better than the sample stands there before the settings are compared.
    if (tried.length === 1) await place(forecast(series, asked, setting), score, { setting });
  }
  if (tried.length === 0) return;
  const { weights, score } = selectGreedily(tried, (prediction) => measure(truth, prediction), {
    direction: "minimize",
    rounds: 12,
  });
  const future = settings
    .slice(0, tried.length)
    .map((setting, i) => (weights[i] > 0 ? forecast(series, asked, setting) : new Float64Array(horizon)));
  const chosen = settings.slice(0, tried.length).map(({ name }, i) => ({ name, weight: weights[i] }));
  await place(applyBlend(weights, future), score, { weights: chosen });
};

/** As many as the budget allows, from the sizes alone, but one at least. */
function affordable(
  all: readonly ForecastSettings[],
  stretches: number,
  days: number,
  seconds: number,
): ForecastSettings[] {
  let left = seconds;
  return all.filter(({ history }, i) => {
    left -= SECONDS_A_DAY * (stretches + 1) * Math.min(history, days);
    return left >= 0 || i === 0;
  });
}

/** The most promising first. */
function possibleSettings(): ForecastSettings[] {
  return [0.5, 0, 1].flatMap((growth) =>
    [7, 4, 11, 16].map((years) => ({
      name: `${years} years, growth ${growth}`,
      history: Math.round(years * YEAR),
      growth,
    })),
  );
}

/** Ridge on the logarithm where all values are positive: weekdays and holidays act in proportion to the level. */
function forecast(
  past: Series,
  asked: readonly number[],
  { history, growth }: ForecastSettings,
): Float64Array {
  const from = Math.max(0, past.days.length - history);
  const days = past.days.slice(from);
  const own = past.values.slice(from);
  const isPositive = own.every((value) => value > 0);
  const plain = isPositive ? own.map(Math.log) : own;
  const origin = days[days.length - 1];
  const level = levelLine(days, plain, growth);
  const target = plain.map((value, i) => value - level(days[i]));
  const base = fitRidge(dense(days.map((day) => rhythm(day, origin))), target, { l2: 1e-2 });
  const fitted = predictLinear(base, dense(days.map((day) => rhythm(day, origin))));
  const scale =
    Math.sqrt(target.reduce((sum, value, i) => sum + (value - fitted[i]) ** 2, 0) / target.length) || 1;
  const rest = target.map((value, i) => (value - fitted[i]) / scale);
  const model = fitRidge(occasions(days), rest, { l2: 1, iterations: 100 });
  const known = predictLinear(base, dense(asked.map((day) => rhythm(day, origin))));
  const effect = predictLinear(model, occasions(asked));
  return known.map((value, i) => {
    const sum = level(asked[i]) + value + scale * effect[i];
    return isPositive ? Math.exp(sum) : sum;
  });
}

/**
 * The mean of each year counted back from the end (52 whole weeks), joined by lines. Beyond the end it goes on by a
 * share of the growth of the last two years: a curve fitted to all of them would shoot off.
 */
function levelLine(days: readonly number[], values: Float64Array, growth: number): (day: number) => number {
  const end = days[days.length - 1] + 1;
  const sums: { sum: number; count: number }[] = [];
  for (const [i, day] of days.entries()) {
    const year = Math.floor((end - 1 - day) / WEEKS_OF_A_YEAR);
    sums[year] ??= { sum: 0, count: 0 };
    sums[year].sum += values[i];
    sums[year].count++;
  }
  const levels = Array.from(sums, (own) => (own === undefined ? Number.NaN : own.sum / own.count));
  const [newest, before = newest] = [levels[0], levels[2] ?? levels[1]];
  const slope = (growth * (newest - before)) / Math.max(1, Math.min(2, levels.length - 1));
  return (day) => {
    const back = (end - 1 - day) / WEEKS_OF_A_YEAR - 0.5;
    if (back <= 0) return newest - slope * back;
    const year = Math.min(levels.length - 1, Math.floor(back));
    const older = levels[year + 1] ?? levels[year];
    return levels[year] + (back - year) * (older - levels[year]);
  };
}

/** The season, and how each weekday moves away from the others over the years. */
function rhythm(day: number, origin: number): number[] {
  const years = (day - origin) / YEAR;
  const { weekday } = calendarDay(day);
  const season = Array.from({ length: HARMONICS }, (_, i) => {
    const angle = (2 * Math.PI * (i + 1) * day) / YEAR;
    return [Math.sin(angle), Math.cos(angle)];
  }).flat();
  const week = Array.from({ length: 7 }, (_, i) => (i === weekday ? [1, years / 5] : [0, 0])).flat();
  const isWeekend = weekday === 0 || weekday === 6 ? 1 : 0;
  return [...season, ...week, ...season.slice(0, 4).map((value) => value * isWeekend)];
}

/** Days that have a name: the 4th of July, the fourth Thursday of November, the day after, and what weekday it fell on. */
function occasions(days: readonly number[]) {
  return hashNgrams(
    days.map((day) => {
      const own = calendarDay(day);
      const weekend = own.weekday === 0 || own.weekday === 6 ? "e" : "w";
      const near = [-2, -1, 1, 2].map((shift) => `s${shift + 2}${nthWeekday(calendarDay(day + shift))}`);
      return [
        `m${own.month}d${own.dayOfMonth}`,
        `m${own.month}d${own.dayOfMonth}${weekend}`,
        nthWeekday(own),
        lastWeekday(own),
        ...near,
      ].join(" ");
    }),
    { words: [1, 1], characters: null, bits: 14 },
  );
}

function nthWeekday({ month, dayOfMonth, weekday }: CalendarDay): string {
  return `n${month}w${weekday}x${Math.ceil(dayOfMonth / 7)}`;
}

/** The last Monday of May is the fourth or the fifth. */
function lastWeekday({ year, month, dayOfMonth, weekday }: CalendarDay): string {
  const isLast = dayOfMonth + 7 > new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isLast ? `l${month}w${weekday}` : "ordinary";
}

function dense(rows: readonly (readonly number[])[]) {
  return { rows: rows.length, columns: rows[0].length, values: Float64Array.from(rows.flat()) };
}
