import { quadraticWeightedKappa } from "../../../metrics/classification/quadratic-kappa.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { exactLabels } from "../cells/exact-labels.ts";
import { requireWholeNumbers } from "../cells/labels.ts";
import { pairsOf } from "../cells/pairs.ts";
import { gather } from "../gather.ts";
import { requireIdAndTarget } from "../id-and-target.ts";

/** One whole-number grade a row, quadratic weighted kappa. Grades outside the scale are legal. */
export function gradeKappa({ id, target }: { id: string; target: string }): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const { alignment, predicted } = requireIdAndTarget(tables, id, target, problems);
      if (tables.submission.rowCount === 0)
        problems.add({ code: "NO_ROWS", message: "The submission has no rows." });
      const usable = predicted && requireWholeNumbers(predicted, problems);
      return usable && alignment ? { alignment, labels: exactLabels(predicted) } : null;
    },
    score: ({ alignment, labels }, { answers }) =>
      quadraticWeightedKappa(answers.column(target)!.numbers, gather(labels, alignment.submissionRows)),
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
