import type { Column } from "../../../table/columns/column.ts";
import type { Grader } from "../../grader.ts";
import type { Problems } from "../../problems.ts";
import { requireLabels } from "../cells/labels.ts";
import { oneTarget } from "../one-target.ts";
import { requireOptions } from "../shape-options.ts";
import { undefinedScore } from "../undefined-score.ts";
import { hasAtMostTwoLabels, labelAgreement } from "./label-agreement.ts";

/**
 * One label a row, the share of right ones. A text column where the truth is numbers is valid and scores 0, unless
 * `truth` is true/false and the texts are at most two different ones.
 */
export function labelAccuracy(options: { id: string; target: string; truth?: "true/false" }): Grader {
  const { id, target, truth } = requireOptions("labelAccuracy", options, { id: "text", target: "text" });
  return oneTarget({
    id,
    target,
    rounding: "python",
    read(predicted, problems) {
      const usable =
        requireLabels(predicted, problems) &&
        (truth !== "true/false" || requireNotTwoTexts(predicted, problems));
      return usable ? predicted : null;
    },
    score(predicted, labels, { submissionRows }) {
      const share = labelAgreement(labels, predicted, submissionRows);
      return share ?? undefinedScore("Texts and numbers cannot be compared with two classes only.");
    },
  });
}

function requireNotTwoTexts(column: Column, problems: Problems): boolean {
  if (column.kind !== "text" || !hasAtMostTwoLabels(column)) return true;
  problems.add({
    code: "WRONG_KIND",
    column: column.name,
    message: `Column "${column.name}" holds text; True and False (or 1 and 0) are expected.`,
  });
  return false;
}
