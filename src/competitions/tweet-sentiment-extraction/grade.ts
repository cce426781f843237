import { jaccard } from "../../metrics/classification/jaccard.ts";
import { wordSet } from "../shapes/cells/word-set.ts";
import { oneTarget } from "../shapes/one-target.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const TARGET = "selected_text";

/** Mean Jaccard index of the words of two texts. One row without words on both sides spoils the whole submission. */
export const grade = oneTarget({
  id: "textID",
  target: TARGET,
  rounding: "python",
  read: (predicted) => predicted,
  score(predicted, truth, alignment) {
    const order = alignment.sorted();
    let sum = 0;
    for (let i = 0; i < order.answers.length; i++) {
      const row = order.submission[i];
      const value = jaccard(wordSet(truth, order.answers[i]), wordSet(predicted, row));
      if (value === null) {
        return undefinedScore(`Row ${row + 1} has no words, and neither has the expected text.`);
      }
      sum += value;
    }
    return sum / order.answers.length;
  },
});
