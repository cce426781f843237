import { rocAuc } from "../../metrics/roc-auc.ts";
import { defineGrader, type Grader } from "../grader.ts";
import { requireColumns, requireRowCount, requireSameIds } from "./checks.ts";
import { gather } from "./gather.ts";
import { requireNumeric, requireRange } from "./numbers.ts";
import { pairsOf } from "./pairs.ts";
import { undefinedScore } from "./undefined-score.ts";

/** One probability between 0 and 1 a row, ranked against 0/1 truth: area under the ROC curve. */
export function binaryAuc({ id, target }: { id: string; target: string }): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const columns = requireColumns(tables.submission, [id, target], problems);
      const sameCount = requireRowCount(tables, problems);
      if (!columns) return null;
      const [, predicted] = columns;
      const usable = requireNumeric(predicted, problems) && requireRange(predicted, 0, 1, problems);
      const alignment = sameCount ? requireSameIds(tables, id, problems) : null;
      return usable && alignment ? { alignment, predicted } : null;
    },
    score({ alignment, predicted }, { answers }) {
      const truth = answers.column(target)!.numbers;
      const area = rocAuc(truth, gather(predicted.numbers, alignment.submissionRows));
      return area ?? undefinedScore("The answers hold one class only.");
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
