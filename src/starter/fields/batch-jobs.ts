import { applyCutPoints, bestKappaCuts } from "../../learning/ensemble/thresholds.ts";
import { stratifiedFolds } from "../../learning/features/folds.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import {
  readBoth,
  readTable,
  submissionWriter,
  type TextTable,
  type WriteSubmission,
} from "../learners/read-table.ts";
import {
  categoryColumn,
  columnsOf,
  drawTableView,
  numberColumn,
  type TableColumn,
} from "../learners/table-view.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { type Method, methodOf, type Target } from "../making/method.ts";
import type { Decision, Problem } from "../making/problem.ts";
import { byGroup, commonest, constantRule, mean } from "../making/rules.ts";

const CLASSES = 4;
const EFFORT = { trees: 300, epochs: 25 };
const ALL = ["linear", "neighbours", "bayes", "tree", "forest", "boosting", "network"] as const;
const NUMBERS = ["linear", "neighbours", "tree", "forest", "boosting", "network"] as const;
const SERIOUS = ["forest", "boosting", "boosting", "boosting", "network"] as const;

/** Every method ends in one number a job, the class it expects; decisions turn that into classes. */
export const field: Field = {
  competitionId: "starter-batch-jobs",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const table = readBoth(folder);
    const durations = readTable(folder, "train.csv").numbers("duration");
    const write = submissionWriter(folder);
    const target: Target = { kind: "number", values: durations };
    const asClasses: Target = { kind: "classes", values: durations, outputs: CLASSES };
    const problem: Problem = {
      trainRows: durations.length,
      testRows: table.rows - durations.length,
      folds: stratifiedFolds(durations, 4, seed),
      goodness: (rows, prediction) =>
        -rows.reduce((sum, row, i) => sum + (prediction[i] - durations[row]) ** 2, 0),
    };
    const plain = columnsOf(table, ["job_id"], 1);
    const enriched = [...plain, ...ownColumns(table)];
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(table, durations, write),
      decisions: decisionsFor(durations, write),
      singles: 92,
      ensembles: 22,
      drawMethod(serious) {
        const columns = draw.chance(serious ? 0.7 : 0.4) ? enriched : plain;
        const view = drawTableView(draw, columns, durations, serious);
        if (draw.chance(0.4)) {
          const learner = drawLearner(draw, draw.pick(serious ? SERIOUS : NUMBERS), EFFORT, "number");
          return methodOf(view, learner, target);
        }
        const learner = drawLearner(draw, draw.pick(serious ? SERIOUS : ALL), EFFORT, "classes");
        return expectedClass(methodOf(view, learner, asClasses), draw.chance(serious ? 0.1 : 0.4));
      },
    });
  },
};

/** From the chances of the classes to one number: the mean, or the likeliest class. */
function expectedClass(method: Method, likeliest: boolean): Method {
  return {
    name: `${method.name}; ${likeliest ? "likeliest class" : "mean of the classes"}`,
    family: method.family,
    predict(train, asked) {
      const chances = method.predict(train, asked);
      return Float64Array.from(asked, (_, row) => {
        const own = Array.from({ length: CLASSES }, (_, k) => chances[k * asked.length + row]);
        if (likeliest) return own.indexOf(Math.max(...own));
        const sum = own.reduce((total, chance) => total + chance, 0);
        return own.reduce((total, chance, k) => total + k * chance, 0) / (sum || 1);
      });
    },
  };
}

function decisionsFor(durations: Float64Array, write: WriteSubmission): Decision[] {
  const shares = Array.from({ length: CLASSES - 1 }, (_, k) =>
    mean(durations.map((value) => Number(value <= k))),
  );
  return [
    {
      name: "rounded",
      tuned: false,
      submit: (prediction) => write((row) => Math.min(CLASSES - 1, Math.max(0, Math.round(prediction[row])))),
    },
    {
      name: "classes as frequent as in training",
      tuned: false,
      submit(prediction) {
        const sorted = prediction.slice().sort();
        const cuts = shares.map(
          (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))],
        );
        const classes = applyCutPoints(prediction, cuts);
        return write((row) => classes[row]);
      },
    },
    {
      name: "cut points by cross-validation",
      tuned: true,
      submit(prediction, validated) {
        if (!validated) throw new Error("cut points need validated predictions");
        const classes = applyCutPoints(prediction, bestKappaCuts(durations, validated, CLASSES));
        return write((row) => classes[row]);
      },
    },
  ];
}

/** How much there is to compute, and when. */
function ownColumns(table: TextTable): TableColumn[] {
  const [compounds, fields, iterations] = ["compounds", "input_fields", "iterations"].map((name) =>
    table.numbers(name),
  );
  const hours = table.numbers("hour");
  const protocols = table.texts("protocol");
  const cells = compounds.map((count, row) => count * fields[row]);
  return [
    numberColumn(
      "log of the cells",
      cells.map((count) => Math.log1p(count)),
    ),
    numberColumn(
      "log of the work",
      cells.map((count, row) => Math.log1p(count * iterations[row])),
    ),
    numberColumn(
      "fields a compound",
      fields.map((count, row) => count / (1 + compounds[row])),
    ),
    numberColumn("whole hour", hours.map(Math.floor)),
    categoryColumn(
      "protocol and iterations",
      protocols.map((protocol, row) => `${protocol} ${iterations[row]}`),
    ),
  ];
}

function rulesOfThumb(table: TextTable, durations: Float64Array, write: WriteSubmission): Solution[] {
  const protocols = table.texts("protocol");
  const sizes = table.numbers("compounds");
  const steps = Array.from(sizes, (size) => Math.floor(Math.log2(1 + size)));
  const rule = (name: string, value: (row: number) => number): Solution => ({
    name,
    family: "rule",
    solve: () => write((row) => Math.round(value(row))),
  });
  return [
    constantRule("always very fast", 0, write),
    constantRule("always fast", 1, write),
    rule("the commonest class of the protocol", byGroup(protocols, durations, commonest, 0)),
    rule("the mean class of the protocol", byGroup(protocols, durations, mean, 1)),
    rule("the mean class for jobs of this size", byGroup(steps, durations, mean, 1)),
    rule(
      "the mean class of protocol and size",
      byGroup(
        protocols.map((protocol, row) => `${protocol} ${steps[row]}`),
        durations,
        mean,
        1,
      ),
    ),
  ];
}
