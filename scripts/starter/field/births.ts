import { join } from "node:path";
import { applyBlend, selectGreedily } from "../../../src/learning/ensemble/greedy-selection.ts";
import { mae } from "../../../src/metrics/mae.ts";
import { type Day, dayOf } from "./births-parts/calendar.ts";
import {
  boostedForecast,
  correctedForecast,
  forestForecast,
  neighbourForecast,
  networkForecast,
  ridgeForecast,
} from "./births-parts/regression.ts";
import { decomposition, earlierYears, groupedMeans, smoothing } from "./births-parts/repeating.ts";
import { type Forecaster, lastDays, meanOf, medianOf, type Series, until } from "./births-parts/series.ts";
import { type Draw, drawFrom } from "./draw.ts";
import type { Field, Solution } from "./field.ts";
import { plainCsv, readPlainCsv } from "./plain-csv.ts";
import { variantsOf } from "./variants.ts";

interface Named {
  readonly name: string;
  readonly family: string;
  readonly forecast: Forecaster;
}

export const field: Field = {
  competitionId: "starter-births",
  open(publicFolder, seed) {
    const train = readPlainCsv(join(publicFolder, "train.csv"));
    const history: Series = {
      days: train.get("date")!.map(dayOf),
      births: Float64Array.from(train.get("births")!, Number),
    };
    const dates = readPlainCsv(join(publicFolder, "sample_submission.csv")).get("date")!;
    const future = dates.map(dayOf);
    const solution = ({ name, family, forecast }: Named): Solution => ({
      name,
      family,
      solve() {
        const births = forecast(history, future);
        return plainCsv("date,births", dates, (row) => births[row].toFixed(1));
      },
    });
    const drawn = variantsOf(seed, solution);
    return [
      ...simple.map(solution),
      ...drawn(12, 1, drawEarlierYears),
      ...drawn(9, 2, drawGrouped),
      ...drawn(14, 3, drawDecomposition),
      ...drawn(8, 4, drawSmoothing),
      ...drawn(15, 5, drawRidge),
      ...drawn(13, 6, drawBoosting),
      ...drawn(6, 11, drawCorrected),
      ...drawn(7, 7, drawForest),
      ...drawn(5, 8, drawNeighbours),
      ...drawn(4, 9, drawNetwork),
      ...drawn(18, 10, drawEnsemble),
    ];
  },
};

const everywhere =
  (value: (history: Series) => number): Forecaster =>
  (history, future) =>
    new Float64Array(future.length).fill(value(history));

const simple: readonly Named[] = [
  { name: "mean of all days", family: "constant", forecast: everywhere(({ births }) => meanOf(births)) },
  {
    name: "median of the last year",
    family: "constant",
    forecast: everywhere((history) => medianOf(lastDays(history, 365).births)),
  },
  {
    name: "the last week again and again",
    family: "rule",
    forecast: ({ births }, future) => Float64Array.from(future, (_, i) => births.at(-7 + (i % 7))!),
  },
  {
    name: "same date of the last year",
    family: "rule",
    forecast: earlierYears({ years: 1, decay: 1, damping: null, byDate: true }),
  },
  {
    name: "weekday means of the last year",
    family: "rule",
    forecast: groupedMeans({ years: 1, damping: 0, key: ({ weekday }) => `${weekday}` }),
  },
  {
    name: "month means of the last three years",
    family: "rule",
    forecast: groupedMeans({ years: 3, damping: 0, key: ({ month }) => `${month}` }),
  },
];

const dampings = [0, 0, 0.25, 0.5, 0.75, 1] as const;

function drawEarlierYears(draw: Draw): Named {
  const years = draw.whole(1, 6);
  const decay = draw.pick([0.4, 0.6, 0.8, 1]);
  const damping = draw.pick([null, null, ...dampings]);
  const level = damping === null ? "as they were" : `raised, damping ${damping}`;
  return {
    name: `same weekday of ${years} earlier years, decay ${decay}, ${level}`,
    family: "time series",
    forecast: earlierYears({ years, decay, damping }),
  };
}

const keys = {
  "weekday and month": ({ weekday, month }: Day) => `${weekday} ${month}`,
  "weekday and week": ({ weekday, season }: Day) => `${weekday} ${Math.floor(season / 7)}`,
  "weekend and week": ({ weekday, season }: Day) => `${weekday % 6 === 0} ${Math.floor(season / 7)}`,
  "weekday and half month": ({ weekday, month, day }: Day) => `${weekday} ${month} ${day > 15}`,
} as const;

function drawGrouped(draw: Draw): Named {
  const name = draw.pick(Object.keys(keys) as (keyof typeof keys)[]);
  const [years, damping] = [draw.whole(2, 9), draw.pick(dampings)];
  return {
    name: `means by ${name}, ${years} years, damping ${damping}`,
    family: "time series",
    forecast: groupedMeans({ years, damping, key: keys[name] }),
  };
}

function drawDecomposition(draw: Draw): Named {
  const options = {
    seasonYears: draw.whole(3, 19),
    weekYears: draw.whole(1, 5),
    window: draw.whole(0, 14),
    damping: draw.pick(dampings),
    holidays: draw.chance(0.5),
  };
  const { seasonYears, weekYears, window, damping, holidays } = options;
  return {
    name: `level x season (${seasonYears} years, +-${window} days) x weekday (${weekYears} years)${holidays ? " x holiday" : ""}, damping ${damping}`,
    family: "time series",
    forecast: decomposition(options),
  };
}

function drawSmoothing(draw: Draw): Named {
  const options = {
    alpha: draw.scale(0.003, 0.2),
    beta: draw.pick([0, 0, 0.0005]),
    gamma: draw.scale(0.005, 0.2),
    window: draw.pick([null, 3, 7, 14]),
    years: draw.whole(3, 12),
  };
  const { alpha, beta, gamma, window, years } = options;
  return {
    name: `exponential smoothing ${alpha}/${beta}/${gamma}, ${years} years, season ${window === null ? "left in" : `+-${window} days`}`,
    family: "time series",
    forecast: smoothing(options),
  };
}

function drawCalendar(draw: Draw) {
  const options = {
    years: draw.whole(2, 14),
    damping: draw.pick(dampings),
    waves: draw.whole(1, 14),
    weekdayWaves: draw.pick([0, 0, 1, 2, 3]),
    holidays: draw.chance(0.6),
    drift: draw.chance(0.5),
  };
  const { years, damping, waves, weekdayWaves, holidays, drift } = options;
  const name = `${years} years, ${waves} waves, ${weekdayWaves} by weekday${holidays ? ", holidays" : ""}${drift ? ", drift" : ""}, damping ${damping}`;
  return { options, name };
}

function drawRidge(draw: Draw): Named {
  const { options, name } = drawCalendar(draw);
  const l2 = draw.scale(0.01, 30);
  return { name: `ridge ${l2}, ${name}`, family: "linear", forecast: ridgeForecast({ ...options, l2 }) };
}

function drawStretch(draw: Draw) {
  const stretch = { years: draw.whole(3, 19), damping: draw.pick(dampings), holidays: draw.chance(0.6) };
  const name = `${stretch.years} years${stretch.holidays ? ", holidays" : ""}, damping ${stretch.damping}`;
  return { stretch, name };
}

function drawBoosting(draw: Draw): Named {
  const { stretch, name } = drawStretch(draw);
  const options = {
    loss: draw.pick(["absolute", "squared"] as const),
    trees: draw.whole(60, 300),
    learningRate: draw.scale(0.03, 0.2),
    maxLeaves: draw.whole(4, 31),
    minSamplesLeaf: draw.whole(3, 30),
    featureFraction: draw.pick([0.6, 0.8, 1]),
    seed: draw.whole(1, 999),
  };
  const { trees, maxLeaves, learningRate, loss } = options;
  return {
    name: `${trees} boosted trees of ${maxLeaves} leaves, rate ${learningRate}, ${loss}, ${name}`,
    family: "boosting",
    forecast: boostedForecast(stretch, options),
  };
}

function drawCorrected(draw: Draw): Named {
  const { options, name } = drawCalendar(draw);
  const boosting = {
    loss: draw.pick(["absolute", "squared"] as const),
    trees: draw.whole(40, 150),
    learningRate: draw.scale(0.02, 0.1),
    maxLeaves: draw.whole(4, 24),
    seed: draw.whole(1, 999),
  };
  return {
    name: `ridge 1, then ${boosting.trees} trees of ${boosting.maxLeaves} leaves on what it leaves, ${name}`,
    family: "boosting",
    forecast: correctedForecast({ ...options, l2: 1 }, boosting),
  };
}

function drawForest(draw: Draw): Named {
  const { stretch, name } = drawStretch(draw);
  const options = {
    kind: draw.pick(["random", "extra"] as const),
    trees: draw.whole(20, 80),
    minSamplesLeaf: draw.whole(1, 12),
    featureShare: draw.pick([0.4, 0.7, 1]),
    seed: draw.whole(1, 999),
  };
  return {
    name: `${options.kind} forest of ${options.trees}, leaves from ${options.minSamplesLeaf}, ${name}`,
    family: "trees",
    forecast: forestForecast(stretch, options),
  };
}

function drawNeighbours(draw: Draw): Named {
  const options = {
    years: draw.whole(2, 12),
    damping: draw.pick(dampings),
    k: draw.whole(2, 40),
    weekdayWeight: draw.whole(5, 60),
    yearWeight: draw.pick([0, 1, 3]),
  };
  const { years, damping, k, weekdayWeight, yearWeight } = options;
  return {
    name: `${k} nearest days, weekday ${weekdayWeight}, year ${yearWeight}, ${years} years, damping ${damping}`,
    family: "neighbours",
    forecast: neighbourForecast(options),
  };
}

function drawNetwork(draw: Draw): Named {
  const { options, name } = drawCalendar(draw);
  const [hidden, epochs] = [draw.pick([[16], [32], [32, 16]]), draw.whole(10, 40)];
  return {
    name: `network ${hidden.join("-")}, ${epochs} epochs, ${name}`,
    family: "network",
    forecast: networkForecast({ ...options, hidden, epochs }, draw.whole(1, 999)),
  };
}

/** Some models drawn at random and mixed by what they would have said in earlier years. */
function drawEnsemble(draw: Draw): Named {
  const [size, backtests, seed] = [draw.whole(5, 14), draw.whole(1, 3), draw.whole(1, 9999)];
  const mix = draw.pick(["greedy", "greedy", "best three", "median of the better half"] as const);
  const members = drawFrom(seed);
  const kinds = [drawDecomposition, drawRidge, drawBoosting, drawCorrected, drawCorrected, drawEarlierYears];
  const models = Array.from({ length: size }, () => members.pick(kinds)(members).forecast);
  return {
    name: `${mix} of ${size} models (${seed}), judged on ${backtests} ${backtests === 1 ? "year" : "years"}`,
    family: "ensemble",
    forecast: (history, future) => combine(models, mix, backtests, history, future),
  };
}

function combine(
  models: readonly Forecaster[],
  mix: "greedy" | "best three" | "median of the better half",
  backtests: number,
  history: Series,
  future: readonly Day[],
): Float64Array {
  const last = history.days.at(-1)!.year;
  const years = Array.from({ length: backtests }, (_, i) => last - i);
  const truth = Float64Array.from(years.flatMap((year) => [...birthsOf(history, year)]));
  const tried = models.map((model) =>
    Float64Array.from(
      years.flatMap((year) => [
        ...model(
          until(history, year - 1),
          history.days.filter((day) => day.year === year),
        ),
      ]),
    ),
  );
  const forecasts = models.map((model) => model(history, future));
  if (mix === "greedy") {
    const { weights } = selectGreedily(tried, (blend) => mae(truth, blend), { direction: "minimize" });
    return applyBlend(weights, forecasts);
  }
  const order = tried
    .map((forecast, i) => ({ error: mae(truth, forecast), i }))
    .sort((a, b) => a.error - b.error);
  const kept = order.slice(0, mix === "best three" ? 3 : Math.ceil(models.length / 2));
  const middle = mix === "best three" ? meanOf : medianOf;
  return Float64Array.from(future, (_, day) => middle(kept.map(({ i }) => forecasts[i][day])));
}

function birthsOf({ days, births }: Series, year: number): Float64Array {
  return births.filter((_, i) => days[i].year === year);
}
