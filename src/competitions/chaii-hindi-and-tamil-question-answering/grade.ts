import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { jaccard } from "../../metrics/classification/jaccard.ts";
import { defineGrader } from "../grader.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { requireTexts } from "../shapes/cells/texts.ts";
import { wordSet } from "../shapes/cells/word-set.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const TARGET = "PredictionString";

/** Mean Jaccard index of the words of two answers. Two empty answers score 0, not 1. */
export const grade = defineGrader({
  submission: ["id", TARGET],
  keys: ["id"],
  values: [TARGET],
  rounding: "numpy",
  check(tables, problems) {
    const { alignment, predicted } = requireIdAndTarget(tables, "id", TARGET, problems);
    if (!predicted) return null;
    const texts = requireTexts(predicted, problems);
    return texts && alignment ? { alignment, predicted } : null;
  },
  score({ alignment, predicted }, { answers }) {
    const truth = answers.column(TARGET)!;
    const order = alignment.sorted();
    const vocabulary = new Set<string>();
    const values = new Float64Array(order.answers.length);
    for (let i = 0; i < values.length; i++) {
      const expected = wordSet(truth, order.answers[i]);
      const given = wordSet(predicted, order.submission[i]);
      values[i] = jaccard(expected, given) ?? 0;
      if (vocabulary.size < 2) for (const word of [...expected, ...given]) vocabulary.add(word);
    }
    if (vocabulary.size < 2) {
      return undefinedScore("The submission and the answers together hold fewer than two different words.");
    }
    return numpyMean(values);
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "id"),
});
