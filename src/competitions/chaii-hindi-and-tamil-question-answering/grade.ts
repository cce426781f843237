import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { jaccard } from "../../metrics/classification/jaccard.ts";
import { requireTexts } from "../shapes/cells/texts.ts";
import { wordSet } from "../shapes/cells/word-set.ts";
import { oneTarget } from "../shapes/one-target.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const TARGET = "PredictionString";

/** Mean Jaccard index of the words of two answers. Two empty answers score 0, not 1. */
export const grade = oneTarget({
  id: "id",
  target: TARGET,
  rounding: "numpy",
  read: (predicted, problems) => (requireTexts(predicted, problems) ? predicted : null),
  score(predicted, truth, alignment) {
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
});
