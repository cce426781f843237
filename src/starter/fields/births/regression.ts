import { binFeatures } from "../../../learning/boosting/bins.ts";
import { type BoostingOptions, fitBoosting, predictBoosting } from "../../../learning/boosting/boost.ts";
import { measureScaling, standardise } from "../../../learning/features/standardise.ts";
import { type ForestOptions, fitForest, predictForest } from "../../../learning/forest/forest.ts";
import { predictLinear } from "../../../learning/linear/linear-model.ts";
import { fitRidge } from "../../../learning/linear/ridge.ts";
import { type DenseMatrix, denseFromRows } from "../../../learning/matrix.ts";
import { nearestNeighbours } from "../../../learning/neighbours/nearest.ts";
import { neighbourMeans } from "../../../learning/neighbours/predict.ts";
import { predictNetwork } from "../../../learning/networks/network.ts";
import { fitPerceptron } from "../../../learning/networks/perceptron.ts";
import { type Day, HOLIDAYS, holidayOf } from "./calendar.ts";
import { type Forecaster, lastDays, levelOf, meanOf } from "./series.ts";

export interface CalendarOptions {
  /** Waves in a year, and how many of them each weekday has of its own. */
  readonly waves: number;
  readonly weekdayWaves: number;
  readonly holidays: boolean;
  /** Each weekday may drift. */
  readonly drift: boolean;
}

/** Columns for learners that only add: waves, weekdays, holidays. */
function calendarColumns(days: readonly Day[], options: CalendarOptions): DenseMatrix {
  return denseFromRows(
    days.map((day) => {
      const waves = yearWaves(day, Math.max(options.waves, options.weekdayWaves));
      const own = waves.slice(0, 2 * options.weekdayWaves);
      const weekdays = Array.from({ length: 7 }, (_, weekday) => Number(weekday === day.weekday));
      const holiday = options.holidays ? holidayOf(day) : null;
      return [
        ...waves.slice(0, 2 * options.waves),
        ...weekdays,
        ...weekdays.flatMap((is) => own.map((wave) => is * wave)),
        ...(options.drift ? weekdays.map((is) => (is * (day.index - 3650)) / 3650) : []),
        ...(options.holidays ? HOLIDAYS.map((name) => Number(name === holiday)) : []),
        // A holiday at a weekend takes less from a day that has little already.
        ...(options.holidays
          ? [Number(holiday !== null && day.weekday % 6 === 0), Number(day.day === 13)]
          : []),
      ];
    }),
  );
}

function yearWaves({ season }: Day, count: number): number[] {
  const angle = (2 * Math.PI * season) / 365;
  return Array.from({ length: count }, (_, i) => [
    Math.sin((i + 1) * angle),
    Math.cos((i + 1) * angle),
  ]).flat();
}

/** Columns for trees: few, and none to be added up. */
function treeColumns(days: readonly Day[], withHolidays: boolean): DenseMatrix {
  return denseFromRows(
    days.map((day) => {
      const holiday = withHolidays ? HOLIDAYS.indexOf(holidayOf(day) ?? "") : -1;
      return [day.weekday, day.season, day.month, day.day, day.index, Number(day.weekday % 6 === 0), holiday];
    }),
  );
}

/** How a learner meets the series: which years, and how the level goes on. */
export interface Stretch {
  readonly years: number;
  readonly damping: number;
}

/** Births relative to their level, learned from the calendar. */
function relative(
  stretch: Stretch,
  learn: (past: readonly Day[], ratios: Float64Array, future: readonly Day[]) => Float64Array,
): Forecaster {
  return (history, future) => {
    const level = levelOf(history, stretch.damping);
    const recent = lastDays(history, Math.round(365.25 * stretch.years));
    const ratios = recent.births.map((births, i) => births / level(recent.days[i]));
    return learn(recent.days, ratios, future).map((ratio, i) => ratio * level(future[i]));
  };
}

export const ridgeForecast = (stretch: Stretch & CalendarOptions & { readonly l2: number }): Forecaster =>
  relative(stretch, (past, ratios, future) => {
    const model = fitRidge(calendarColumns(past, stretch), ratios, { l2: stretch.l2 });
    return predictLinear(model, calendarColumns(future, stretch));
  });

export const boostedForecast = (
  stretch: Stretch & { readonly holidays: boolean },
  options: BoostingOptions,
): Forecaster =>
  relative(stretch, (past, ratios, future) => {
    const binned = binFeatures(treeColumns(past, stretch.holidays));
    return predictBoosting(fitBoosting(binned, ratios, options), treeColumns(future, stretch.holidays));
  });

/** What ridge leaves over is learned by trees. */
export const correctedForecast = (
  stretch: Stretch & CalendarOptions & { readonly l2: number },
  options: BoostingOptions,
): Forecaster =>
  relative(stretch, (past, ratios, future) => {
    const columns = calendarColumns(past, stretch);
    const ridge = fitRidge(columns, ratios, { l2: stretch.l2 });
    const fitted = predictLinear(ridge, columns);
    const binned = binFeatures(treeColumns(past, stretch.holidays));
    const rest = ratios.map((ratio, i) => ratio - fitted[i]);
    const correction = predictBoosting(
      fitBoosting(binned, rest, options),
      treeColumns(future, stretch.holidays),
    );
    return predictLinear(ridge, calendarColumns(future, stretch)).map((value, i) => value + correction[i]);
  });

export const forestForecast = (
  stretch: Stretch & { readonly holidays: boolean },
  options: ForestOptions,
): Forecaster =>
  relative(stretch, (past, ratios, future) => {
    const binned = binFeatures(treeColumns(past, stretch.holidays));
    const forest = fitForest(binned, { kind: "number", values: ratios }, options);
    return predictForest(forest, treeColumns(future, stretch.holidays));
  });

/** Days alike are near in date and of the same weekday; `weekdayWeight` says how much that counts, in days. */
export const neighbourForecast = (
  stretch: Stretch & { readonly k: number; readonly weekdayWeight: number; readonly yearWeight: number },
): Forecaster =>
  relative(stretch, (past, ratios, future) => {
    const circle = 365 / (2 * Math.PI);
    const place = (day: Day) => {
      const angle = day.season / circle;
      const weekdays = Array.from({ length: 7 }, (_, i) => Number(i === day.weekday) * stretch.weekdayWeight);
      return [circle * Math.sin(angle), circle * Math.cos(angle), stretch.yearWeight * day.year, ...weekdays];
    };
    const neighbours = nearestNeighbours(denseFromRows(past.map(place)), denseFromRows(future.map(place)), {
      k: stretch.k,
      distance: "euclidean",
    });
    return neighbourMeans(neighbours, ratios, "inverse-distance");
  });

export const networkForecast = (
  stretch: Stretch & CalendarOptions & { readonly hidden: readonly number[]; readonly epochs: number },
  seed: number,
): Forecaster =>
  relative(stretch, (past, ratios, future) => {
    const inputs = calendarColumns(past, stretch);
    const scaling = measureScaling(inputs);
    const centre = meanOf(ratios);
    // Tenths of the level are numbers of about one.
    const network = fitPerceptron(
      standardise(inputs, scaling),
      ratios.map((ratio) => 10 * (ratio - centre)),
      {
        loss: "squared",
        outputs: 1,
        hidden: stretch.hidden,
        epochs: stretch.epochs,
        seed,
      },
    );
    const output = predictNetwork(network, standardise(calendarColumns(future, stretch), scaling));
    return output.map((value) => value / 10 + centre);
  });
