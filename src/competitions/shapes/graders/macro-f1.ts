import { macroF1 } from "../../../metrics/classification/macro-f1.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { integerLabels, truncatedInteger } from "../cells/integer-cells.ts";
import { pairsOf } from "../cells/pairs.ts";
import { gather } from "../gather.ts";
import { requireIdAndTarget } from "../id-and-target.ts";

/** One class number a row, mean F1 over classes. Fractions are cut off, not refused: 5.9 is class 5. */
export function classNumberMacroF1({ id, target }: { id: string; target: string }): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const { alignment, predicted } = requireIdAndTarget(tables, id, target, problems);
      const labels = predicted && integerLabels(predicted, truncatedInteger, problems);
      return alignment && labels ? { alignment, labels } : null;
    },
    score: ({ alignment, labels }, { answers }) =>
      macroF1(answers.column(target)!.numbers, gather(labels, alignment.submissionRows)),
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
