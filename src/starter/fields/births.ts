import { join } from "node:path";
import { applyBlend, selectGreedily } from "../../learning/ensemble/greedy-selection.ts";
import { mae } from "../../metrics/regression/mae.ts";
import { plainCsv, readPlainCsv } from "../learners/plain-csv.ts";
import { variantsOf } from "../learners/variants.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { type Day, dayOf } from "./births/calendar.ts";
import {
  drawBoosting,
  drawCorrected,
  drawDecomposition,
  drawEarlierYears,
  drawForest,
  drawGrouped,
  drawNeighbours,
  drawNetwork,
  drawRidge,
  drawSmoothing,
  type Named,
} from "./births/drawing.ts";
import { earlierYears, groupedMeans } from "./births/repeating.ts";
import { type Forecaster, lastDays, meanOf, medianOf, type Series, until } from "./births/series.ts";

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
