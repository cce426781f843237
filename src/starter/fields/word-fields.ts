import { shuffledFolds } from "../../learning/features/folds.ts";
import { balancedGoodness, likeliest } from "../learners/class-decisions.ts";
import { composeField } from "../learners/compose.ts";
import { boosting, perceptron } from "../learners/dense-learners.ts";
import { readBoth, readTable, submissionWriter, type TextTable } from "../learners/read-table.ts";
import { drawTextLearner } from "../learners/sparse-learners.ts";
import { type TextViews, textViews, type Weighting } from "../learners/text-view.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field } from "../making/field.ts";
import { asNumbers, type Method, methodOf, type Target } from "../making/method.ts";
import { byGroup, commonest, constantRule } from "../making/rules.ts";

/** A chance for each of the forty fields; the likeliest is named. */
export const field: Field = {
  competitionId: "starter-word-fields",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const table = readBoth(folder);
    const labels = readTable(folder, "train.csv").numbers("label");
    const classes = readTable(folder, "labels.csv").rows;
    const write = submissionWriter(folder);
    // The learners of texts answer one question at a time: is it this field or another?
    const target: Target = {
      kind: "labels",
      values: asNumbers({ kind: "classes", values: labels, outputs: classes }),
      outputs: classes,
    };
    const views = readings(table);
    const [words, definitions] = [table.texts("words"), table.texts("definition")];
    const remembered = (name: string, keys: readonly string[]) => ({
      name,
      family: "rule",
      solve: () => write(byGroup(keys, labels, commonest, commonest(labels))),
    });
    return composeField({
      problem: {
        trainRows: labels.length,
        testRows: table.rows - labels.length,
        folds: shuffledFolds(labels.length, 2, seed),
        goodness: balancedGoodness(labels, classes),
      },
      target,
      draw,
      rules: [
        constantRule("always the commonest field", commonest(labels), write),
        constantRule("always persons", 16, write),
        remembered(
          "the field of definitions that begin alike",
          definitions.map((text) => text.split(" ").slice(0, 2).join(" ")),
        ),
        remembered(
          "the field of definitions that end alike",
          definitions.map((text) => text.split(" ").at(-1) ?? ""),
        ),
        remembered(
          "the field of words that end in the same three letters",
          words.map((text) => text.split("; ")[0].slice(-3)),
        ),
      ],
      decisions: [likeliest(classes, write)],
      singles: 90,
      ensembles: 8,
      pool: 3,
      // Forty questions about 14,000 texts take a while: many are content with a part.
      shares: [0.5, 0.3, 0.3, 0.2, 0.2, 0.1],
      drawMethod: (serious) => drawMethod(draw, views, target, serious),
    });
  },
};

function drawMethod(draw: Draw, views: readonly TextViews[], target: Target, serious: boolean): Method {
  const reading = draw.pick(serious ? views.slice(2) : views);
  if (draw.chance(serious ? 0.9 : 0.8)) {
    const options = {
      words: draw.pick([
        [1, 1],
        [1, 2],
      ] as const),
      characters: draw.chance(0.1) ? ([3, 4] as const) : null,
      bits: draw.pick(serious ? [14, 15] : [9, 11, 12, 13, 14, 15]),
    };
    const weighting: Weighting = draw.pick(["rarity", "rarity", "presence"]);
    return methodOf(reading.sparse(options, weighting), drawTextLearner(draw, serious), target);
  }
  if (serious || draw.chance(0.6)) {
    const view = reading.dense({ words: [1, 1], characters: null, bits: draw.pick([8, 9]) });
    const network = perceptron({
      hidden: [draw.pick([32, 64])],
      epochs: draw.whole(2, 5),
      learningRate: draw.pick([0.001, 0.002]),
      dropout: draw.pick([0, 0.2, 0.4]),
      seed: draw.seed(),
    });
    return methodOf(view, network, target);
  }
  const view = reading.dense({ words: [1, 1], characters: null, bits: draw.pick([5, 6]) });
  const trees = draw.pick([5, 8, 12]);
  return methodOf(
    view,
    boosting({ trees, maxLeaves: draw.pick([4, 6]), learningRate: draw.pick([0.1, 0.2]) }),
    target,
  );
}

/** Ways to read an entry. In the last one the beginning of the definition, mostly something more general, stands out. */
function readings(table: TextTable): TextViews[] {
  const words = table.texts("words");
  const definitions = table.texts("definition");
  const joined = words.map((own, row) => `${own} ${definitions[row]}`);
  const marked = definitions.map((definition, row) => {
    const [first = "", second = "", third = ""] = definition.split(" ");
    const own = words[row].split("; ").map((word) => `own_${word.slice(-4)}`);
    return `first_${first} second_${second} third_${third} ${own.join(" ")} ${joined[row]}`;
  });
  return [
    textViews("the words", words),
    textViews("the definition", definitions),
    textViews("words and definition", joined),
    textViews("words and definition with its beginning marked", marked),
  ];
}
