import { shuffledFolds } from "../../learning/features/folds.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import {
  readBoth,
  readTable,
  submissionWriter,
  type TextTable,
  type WriteSubmission,
} from "../learners/read-table.ts";
import { columnsOf, drawTableView, numberColumn, type TableColumn } from "../learners/table-view.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { type Method, methodOf, type Target } from "../making/method.ts";
import type { Decision, Problem } from "../making/problem.ts";
import { byGroup, constantRule, mean, median } from "../making/rules.ts";

const EFFORT = { trees: 300, epochs: 30 };
const ALL = ["linear", "neighbours", "tree", "forest", "boosting", "network"] as const;
const SERIOUS = ["linear", "linear", "forest", "boosting", "boosting", "boosting", "network"] as const;
const CONDITIONS =
  "Very_Poor Poor Fair Below_Average Average Above_Average Good Very_Good Excellent Very_Excellent";

/** Prices are predicted as logarithms, since the metric compares those; the metric is then the plain RMSE. */
export const field: Field = {
  competitionId: "starter-house-prices",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const table = readBoth(folder);
    const prices = readTable(folder, "train.csv").numbers("sale_price");
    const write = submissionWriter(folder);
    const target: Target = { kind: "number", values: prices.map((price) => Math.log1p(price)) };
    const inDollars: Target = { kind: "number", values: prices };
    const [lowest, highest] = [Math.min(...target.values), Math.max(...target.values)];
    const problem: Problem = {
      trainRows: prices.length,
      testRows: table.rows - prices.length,
      folds: shuffledFolds(prices.length, 4, seed),
      goodness: (rows, prediction) =>
        -rows.reduce((sum, row, i) => sum + (prediction[i] - target.values[row]) ** 2, 0),
    };
    const decision: Decision = {
      name: "",
      tuned: false,
      submit: (prediction) =>
        write((row) => Math.expm1(Math.min(highest, Math.max(lowest, prediction[row]))).toFixed(2)),
    };
    const plain = columnsOf(table, ["house_id"], 5);
    const enriched = [...plain, ...ownColumns(table)];
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(table, prices, write),
      decisions: [decision],
      singles: 92,
      ensembles: 22,
      drawMethod(serious) {
        const columns = draw.chance(serious ? 0.7 : 0.4) ? enriched : plain;
        const view = drawTableView(draw, columns, target.values, serious);
        const learner = drawLearner(draw, draw.pick(serious ? SERIOUS : ALL), EFFORT, "number");
        return serious || draw.chance(0.6)
          ? methodOf(view, learner, target)
          : toLogarithms(methodOf(view, learner, inDollars), lowest);
      },
    });
  },
};

/** Some participants overlook that the metric is about logarithms and predict dollars. */
function toLogarithms(method: Method, lowest: number): Method {
  return {
    name: `${method.name}; prices in dollars`,
    family: method.family,
    predict: (train, asked) =>
      method.predict(train, asked).map((price) => Math.log1p(Math.max(Math.expm1(lowest), price))),
  };
}

/** What a participant who looks at the data adds: areas summed up, ages, grades as numbers. */
function ownColumns(table: TextTable): TableColumn[] {
  const [living, basement, garage, lot] = ["gr_liv_area", "total_bsmt_sf", "garage_area", "lot_area"].map(
    (name) => table.numbers(name),
  );
  const [built, changed, sold] = ["year_built", "year_remod_add", "year_sold"].map((name) =>
    table.numbers(name),
  );
  const baths = ["full_bath", "bsmt_full_bath"].map((name) => table.numbers(name));
  const conditions = CONDITIONS.split(" ");
  return [
    numberColumn(
      "area in all",
      living.map((area, row) => area + basement[row] + garage[row]),
    ),
    numberColumn(
      "log of living area",
      living.map((area) => Math.log1p(area)),
    ),
    numberColumn(
      "log of lot area",
      lot.map((area) => Math.log1p(area)),
    ),
    numberColumn(
      "age",
      built.map((year, row) => sold[row] - year),
    ),
    numberColumn(
      "years since changed",
      changed.map((year, row) => sold[row] - year),
    ),
    numberColumn(
      "baths",
      baths[0].map((count, row) => count + baths[1][row]),
    ),
    numberColumn(
      "condition",
      Float64Array.from(table.texts("overall_cond"), (word) => conditions.indexOf(word)),
    ),
  ];
}

function rulesOfThumb(table: TextTable, prices: Float64Array, write: WriteSubmission): Solution[] {
  const areas = table.numbers("gr_liv_area");
  const byArea = median(prices.map((price, row) => price / areas[row]));
  return [
    constantRule("the mean price", mean(prices), write),
    constantRule("the median price", median(prices), write),
    constantRule("the geometric mean of the prices", Math.exp(mean(prices.map(Math.log))), write),
    {
      name: "the median price per square foot",
      family: "rule",
      solve: () => write((row) => byArea * areas[prices.length + row]),
    },
    ...["neighborhood", "year_sold", "house_style"].map(
      (name): Solution => ({
        name: `the median price by ${name}`,
        family: "rule",
        solve: () => write(byGroup(table.texts(name), prices, median, median(prices))),
      }),
    ),
  ];
}
