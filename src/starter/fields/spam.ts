import { stratifiedFolds } from "../../learning/features/folds.ts";
import { fitLogistic, predictLogistic } from "../../learning/linear/logistic.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import { readBoth, readTable, submissionWriter, type WriteSubmission } from "../learners/read-table.ts";
import { drawTextLearner } from "../learners/sparse-learners.ts";
import { numberColumn, type TableColumn, tableView } from "../learners/table-view.ts";
import { drawNgrams, type TextViews, textViews, type Weighting } from "../learners/text-view.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { type Method, methodOf, type Target } from "../making/method.ts";
import type { Decision, Problem } from "../making/problem.ts";
import { byGroup, constantRule, mean } from "../making/rules.ts";

const EFFORT = { trees: 80, epochs: 12 };
const ALL = ["linear", "neighbours", "bayes", "tree", "forest", "boosting", "network"] as const;
const SERIOUS = ["linear", "forest", "boosting", "boosting", "network"] as const;

export const field: Field = {
  competitionId: "starter-spam",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const texts = readBoth(folder).texts("text");
    const spam = readTable(folder, "train.csv").numbers("spam");
    const write = submissionWriter(folder);
    const target: Target = { kind: "binary", values: spam };
    const problem: Problem = {
      trainRows: spam.length,
      testRows: texts.length - spam.length,
      folds: stratifiedFolds(spam, 3, seed),
      goodness: (rows, prediction) =>
        rows.reduce((sum, row, i) => {
          const chance = Math.min(0.99, Math.max(0.01, prediction[i]));
          return sum + Math.log(spam[row] === 1 ? chance : 1 - chance);
        }, 0),
    };
    const views = textViews("the text", texts);
    const counts = countColumns(texts);
    const drawMethod = (serious: boolean): Method => {
      if (draw.chance(0.65)) {
        const weighting: Weighting = draw.pick(
          serious ? ["rarity", "presence"] : ["rarity", "counts", "presence"],
        );
        const view = views.sparse(drawNgrams(draw, serious), weighting);
        return methodOf(view, drawTextLearner(draw, serious), target);
      }
      const learner = drawLearner(draw, draw.pick(serious ? SERIOUS : ALL), EFFORT, "binary");
      return draw.chance(serious ? 0.2 : 0.5)
        ? methodOf(tableView(counts, counts.length, "codes", spam), learner, target)
        : methodOf(wordColumns(views, draw.pick(serious ? [8, 9] : [6, 7, 8])), learner, target);
    };
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(texts, spam, write),
      decisions: decisionsFor(spam, write),
      singles: 92,
      ensembles: 22,
      pool: 12,
      drawMethod,
    });
  },
};

function wordColumns(views: TextViews, bits: number) {
  return views.dense({ words: [1, 1], characters: null, bits });
}

/** Being sure and wrong is expensive: everybody cuts somewhere, some calibrate on validated predictions. */
function decisionsFor(spam: Float64Array, write: WriteSubmission): Decision[] {
  const logit = (chance: number) => {
    const inside = Math.min(0.999, Math.max(0.001, chance));
    return Math.log(inside / (1 - inside));
  };
  const cut = (limit: number): Decision => ({
    name: `cut at ${limit}`,
    tuned: false,
    submit: (prediction) => write((row) => Math.min(1 - limit, Math.max(limit, prediction[row])).toFixed(6)),
  });
  return [
    cut(0.001),
    cut(0.01),
    cut(0.03),
    {
      name: "calibrated by cross-validation",
      tuned: true,
      submit(prediction, validated) {
        if (!validated) throw new Error("calibration needs validated predictions");
        const column = (values: Float64Array) => ({
          rows: values.length,
          columns: 1,
          values: values.map(logit),
        });
        const model = fitLogistic(column(validated), spam, { classes: 2, l2: 0.1 });
        const chances = predictLogistic(model, column(prediction));
        return write((row) => Math.min(0.998, Math.max(0.002, chances[row])).toFixed(6));
      },
    },
  ];
}

/** What can be counted without reading: lengths, capitals, digits, signs that advertisements like. */
function countColumns(texts: readonly string[]): TableColumn[] {
  const share = (pattern: RegExp) => (text: string) =>
    (text.match(pattern)?.length ?? 0) / Math.max(1, text.length);
  const measures: [string, (text: string) => number][] = [
    ["length", (text) => text.length],
    ["capitals", share(/[A-Z]/g)],
    ["digits", share(/[0-9]/g)],
    ["exclamation marks", share(/!/g)],
    ["dollar and per cent signs", share(/[$%]/g)],
    ["quoting marks", share(/>/g)],
    ["links", share(/https?:/g)],
    ["words in capitals", share(/\b[A-Z]{3,}\b/g)],
    [
      "words of advertisements",
      share(/\b(free|money|click|offer|credit|order|buy|email|list|guarantee\w*)\b/gi),
    ],
    ["words of answers", share(/\b(wrote|writes|said|re|list|thanks|code|file|linux|perl)\b/gi)],
    ["length of words", (text) => mean(text.split(/\s+/).map((word) => word.length))],
    ["you and your", share(/\byour?\b/gi)],
  ];
  return measures.map(([name, measure]) => numberColumn(name, Float64Array.from(texts, measure)));
}

function rulesOfThumb(texts: readonly string[], spam: Float64Array, write: WriteSubmission): Solution[] {
  const share = mean(spam);
  const rule = (name: string, key: (text: string) => string): Solution => ({
    name,
    family: "rule",
    solve: () => {
      // One made-up row of each kind keeps a rule without exceptions from being sure.
      const chance = byGroup(
        texts.map(key),
        spam,
        (own) => (own.reduce((sum, value) => sum + value, 0) + share) / (own.length + 1),
        share,
      );
      return write((row) => chance(row).toFixed(6));
    },
  });
  return [
    constantRule("the share of spam", share.toFixed(6), write),
    constantRule("one half", 0.5, write),
    rule("quotes another mail or not", (text) => String(text.includes(">"))),
    rule("how many exclamation marks", (text) => String(Math.min(3, text.split("!").length))),
    rule("speaks of money, offers or clicks", (text) => String(/free|money|offer|click|\$/i.test(text))),
    rule("full length or shorter", (text) => String(Math.floor(text.length / 80))),
  ];
}
