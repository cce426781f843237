import { rocAuc } from "../../../metrics/classification/roc-auc.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { alignedScores } from "../aligned-scores.ts";
import { pairsOf } from "../cells/pairs.ts";
import { probabilities } from "../cells/probabilities.ts";
import { gather } from "../gather.ts";
import { requireOptions } from "../shape-options.ts";
import { undefinedScore } from "../undefined-score.ts";

/** One probability between 0 and 1 a row, ranked against 0/1 truth: area under the ROC curve. */
export function binaryAuc(options: { id: string; target: string }): Grader {
  const { id, target } = requireOptions("binaryAuc", options, { id: "text", target: "text" });
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check: (tables, problems) =>
      alignedScores(tables, { id, targets: [target], read: probabilities }, problems),
    score({ alignment, scores: [predicted] }, { answers }) {
      const truth = answers.column(target)!.numbers;
      const area = rocAuc(truth, gather(predicted, alignment.submissionRows));
      return area ?? undefinedScore("The answers hold one class only.");
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
