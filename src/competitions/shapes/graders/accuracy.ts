import type { Column } from "../../../table/columns/column.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import type { Problems } from "../../problems.ts";
import { requireLabels } from "../cells/labels.ts";
import { pairsOf } from "../cells/pairs.ts";
import { requireIdAndTarget } from "../id-and-target.ts";
import { undefinedScore } from "../undefined-score.ts";
import { hasAtMostTwoLabels, labelAgreement } from "./label-agreement.ts";

/**
 * One label a row, the share of right ones. A text column where the truth is numbers is valid and scores 0, unless
 * `truth` is true/false and the texts are at most two different ones.
 */
export function labelAccuracy({
  id,
  target,
  truth,
}: {
  id: string;
  target: string;
  truth?: "true/false";
}): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "python",
    check(tables, problems) {
      const { alignment, predicted } = requireIdAndTarget(tables, id, target, problems);
      const usable =
        predicted &&
        requireLabels(predicted, problems) &&
        (truth !== "true/false" || requireNotTwoTexts(predicted, problems));
      return usable && alignment ? { alignment, predicted } : null;
    },
    score({ alignment, predicted }, { answers }) {
      const share = labelAgreement(answers.column(target)!, predicted, alignment.submissionRows);
      return share ?? undefinedScore("Texts and numbers cannot be compared with two classes only.");
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}

function requireNotTwoTexts(column: Column, problems: Problems): boolean {
  if (column.kind !== "text" || !hasAtMostTwoLabels(column)) return true;
  problems.add({
    code: "WRONG_KIND",
    column: column.name,
    message: `Column "${column.name}" holds texts; True and False (or 1 and 0) are expected.`,
  });
  return false;
}
