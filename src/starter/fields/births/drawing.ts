import type { Draw } from "../../making/draw.ts";
import type { Day } from "./calendar.ts";
import {
  boostedForecast,
  correctedForecast,
  forestForecast,
  neighbourForecast,
  networkForecast,
  ridgeForecast,
} from "./regression.ts";
import { decomposition, earlierYears, groupedMeans, smoothing } from "./repeating.ts";
import type { Forecaster } from "./series.ts";

/** A forecaster, and how the field calls it. */
export interface Named {
  readonly name: string;
  readonly family: string;
  readonly forecast: Forecaster;
}

const dampings = [0, 0, 0.25, 0.5, 0.75, 1] as const;

export function drawEarlierYears(draw: Draw): Named {
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

export function drawGrouped(draw: Draw): Named {
  const name = draw.pick(Object.keys(keys) as (keyof typeof keys)[]);
  const [years, damping] = [draw.whole(2, 9), draw.pick(dampings)];
  return {
    name: `means by ${name}, ${years} years, damping ${damping}`,
    family: "time series",
    forecast: groupedMeans({ years, damping, key: keys[name] }),
  };
}

export function drawDecomposition(draw: Draw): Named {
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

export function drawSmoothing(draw: Draw): Named {
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

export function drawRidge(draw: Draw): Named {
  const { options, name } = drawCalendar(draw);
  const l2 = draw.scale(0.01, 30);
  return { name: `ridge ${l2}, ${name}`, family: "linear", forecast: ridgeForecast({ ...options, l2 }) };
}

function drawStretch(draw: Draw) {
  const stretch = { years: draw.whole(3, 19), damping: draw.pick(dampings), holidays: draw.chance(0.6) };
  const name = `${stretch.years} years${stretch.holidays ? ", holidays" : ""}, damping ${stretch.damping}`;
  return { stretch, name };
}

export function drawBoosting(draw: Draw): Named {
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

export function drawCorrected(draw: Draw): Named {
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

export function drawForest(draw: Draw): Named {
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

export function drawNeighbours(draw: Draw): Named {
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

export function drawNetwork(draw: Draw): Named {
  const { options, name } = drawCalendar(draw);
  const [hidden, epochs] = [draw.pick([[16], [32], [32, 16]]), draw.whole(10, 40)];
  return {
    name: `network ${hidden.join("-")}, ${epochs} epochs, ${name}`,
    family: "network",
    forecast: networkForecast({ ...options, hidden, epochs }, draw.whole(1, 999)),
  };
}
