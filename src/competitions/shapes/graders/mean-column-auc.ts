import { numpyMean } from "../../../metrics/arithmetic/numpy-sum.ts";
import { rocAuc } from "../../../metrics/classification/roc-auc.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { alignedScores, type ScoreColumns } from "../aligned-scores.ts";
import { pairsOf } from "../cells/pairs.ts";
import { gather } from "../gather.ts";
import { undefinedScore } from "../undefined-score.ts";

/** Several 0/1 labels a row, a column of scores for each: the plain mean of the columns' areas under the ROC curve. */
export function meanColumnAuc(columns: ScoreColumns): Grader {
  const { id, targets } = columns;
  return defineGrader({
    submission: [id, ...targets],
    keys: [id],
    values: targets,
    rounding: "numpy",
    check: (tables, problems) => alignedScores(tables, columns, problems),
    score({ alignment, scores }, { answers }) {
      const areas = new Float64Array(targets.length);
      for (let i = 0; i < areas.length; i++) {
        const truth = answers.column(targets[i])!.numbers;
        const area = rocAuc(truth, gather(scores[i], alignment.submissionRows));
        if (area === null) return undefinedScore(`The answers hold one class only in "${targets[i]}".`);
        areas[i] = area;
      }
      return numpyMean(areas);
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
