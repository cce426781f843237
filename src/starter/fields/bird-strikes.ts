import { toRanks } from "../../learning/ensemble/rank-average.ts";
import { stratifiedFolds } from "../../learning/features/folds.ts";
import { rocAuc } from "../../metrics/classification/roc-auc.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import {
  readBoth,
  readTable,
  submissionWriter,
  type TextTable,
  type WriteSubmission,
} from "../learners/read-table.ts";
import { categoryColumn, drawTableView, numberColumn, type TableColumn } from "../learners/table-view.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { methodOf, type Target } from "../making/method.ts";
import type { Decision, Problem } from "../making/problem.ts";
import { byGroup, constantRule, mean } from "../making/rules.ts";

const EFFORT = { trees: 100, epochs: 12 };
const ALL = ["linear", "linear", "neighbours", "bayes", "tree", "forest", "boosting", "network"] as const;
const SERIOUS = ["linear", "forest", "boosting", "boosting", "boosting", "network"] as const;
/** Categories with fewer strikes than this are put together. */
const RARE = 15;

export const field: Field = {
  competitionId: "starter-bird-strikes",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const table = readBoth(folder);
    const damage = readTable(folder, "train.csv").numbers("damage");
    const write = submissionWriter(folder);
    const target: Target = { kind: "binary", values: damage };
    const problem: Problem = {
      trainRows: damage.length,
      testRows: table.rows - damage.length,
      folds: stratifiedFolds(damage, 4, seed),
      goodness: (rows, prediction) =>
        rocAuc(
          Uint8Array.from(rows, (row) => damage[row]),
          prediction,
        ) ?? 0,
      scale: toRanks,
    };
    // Only the order counts, and ranks keep it whatever scale a method predicts on.
    const decision: Decision = {
      name: "",
      tuned: false,
      submit(prediction) {
        const ranks = toRanks(prediction);
        return write((row) => ranks[row].toFixed(6));
      },
    };
    const plain = reportColumns(table);
    const enriched = [...plain, ...crossedColumns(table)];
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(table, damage, write),
      decisions: [decision],
      singles: 92,
      ensembles: 22,
      drawMethod(serious) {
        const columns = draw.chance(serious ? 0.6 : 0.3) ? enriched : plain;
        const view = drawTableView(draw, columns, damage, serious);
        return methodOf(
          view,
          drawLearner(draw, draw.pick(serious ? SERIOUS : ALL), EFFORT, "binary"),
          target,
        );
      },
    });
  },
};

function reportColumns(table: TextTable): TableColumn[] {
  const dates = table.texts("date");
  const names = [
    "airport",
    "state",
    "aircraft",
    "operator",
    "phase",
    "time_of_day",
    "wildlife_size",
    "species",
  ];
  return [
    ...names.map((name) => categoryColumn(name, table.texts(name), RARE)),
    numberColumn("speed_knots", table.numbers("speed_knots")),
    numberColumn(
      "year",
      Float64Array.from(dates, (date) => Number(date.slice(0, 4))),
    ),
    numberColumn(
      "month",
      Float64Array.from(dates, (date) => Number(date.slice(5, 7))),
    ),
    numberColumn("size", sizesOf(table)),
  ];
}

/** What matters together: a goose at take-off is not a sparrow at landing. */
function crossedColumns(table: TextTable): TableColumn[] {
  const pairs = [
    ["wildlife_size", "phase"],
    ["aircraft", "wildlife_size"],
    ["species", "phase"],
    ["operator", "aircraft"],
  ];
  return pairs.map(([first, second]) => {
    const others = table.texts(second);
    return categoryColumn(
      `${first} and ${second}`,
      table.texts(first).map((text, row) => `${text}/${others[row]}`),
      RARE,
    );
  });
}

function sizesOf(table: TextTable): Float64Array {
  return Float64Array.from(table.texts("wildlife_size"), (size) =>
    ["Small", "Medium", "Large"].indexOf(size),
  );
}

function rulesOfThumb(table: TextTable, damage: Float64Array, write: WriteSubmission): Solution[] {
  const share = mean(damage);
  const sizes = sizesOf(table);
  const rule = (name: string, value: (row: number) => number): Solution => ({
    name,
    family: "rule",
    solve: () => write((row) => value(row).toFixed(6)),
  });
  return [
    constantRule("the share of damaging strikes", share.toFixed(6), write),
    rule("the larger the animal the worse", (row) => 0.1 + 0.3 * sizes[damage.length + row]),
    ...["phase", "species", "aircraft", "operator"].map((name) =>
      rule(`the share of damaging strikes by ${name}`, byGroup(table.texts(name), damage, mean, share)),
    ),
  ];
}
