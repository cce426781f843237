import { weightedRocAuc } from "../../metrics/classification/weighted-roc-auc.ts";
import { defineGrader } from "../grader.ts";
import { alignedScores } from "../shapes/aligned-scores.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

/** Any finite scores, ranked against 0/1 truth; the lower part of the ROC curve counts double. */
export const grade = defineGrader({
  submission: ["Id", "Label"],
  keys: ["Id"],
  values: ["Label"],
  rounding: "numpy",
  check: (tables, problems) =>
    alignedScores(tables, { id: "Id", targets: ["Label"], read: finiteNumbers }, problems),
  score({ alignment, scores: [predicted] }, { answers }) {
    const truth = answers.column("Label")!.numbers;
    const area = weightedRocAuc(truth, gather(predicted, alignment.submissionRows));
    return area ?? undefinedScore("The answers hold one class only.");
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "Id"),
});
