import { type Column, cellText, isMissing } from "../../table/columns/column.ts";
import { defineGrader } from "../grader.ts";
import { requireLabels } from "../shapes/cells/labels.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { labelAgreement } from "../shapes/graders/label-agreement.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const ID = "image_id";
const TARGET = "label";

/** Accuracy in which an empty label is wrong, not refused. One empty cell makes the whole column texts. */
export const grade = defineGrader({
  submission: [ID, TARGET],
  keys: [ID],
  values: (header) => header,
  rounding: "python",
  check(tables, problems) {
    const { alignment, predicted } = requireIdAndTarget(tables, ID, TARGET, problems);
    const usable = predicted && (predicted.missingCount > 0 || requireLabels(predicted, problems));
    return usable && alignment ? { alignment, predicted } : null;
  },
  score({ alignment: { submissionRows }, predicted }, { answers }) {
    if (answers.header.some((name) => answers.column(name)!.missingCount > 0))
      return undefinedScore("The answers have gaps.");
    const truth = answers.column(TARGET)!;
    if (predicted.missingCount > 0) return textAgreement(truth, predicted, submissionRows);
    const share = labelAgreement(truth, predicted, submissionRows);
    return share ?? undefinedScore("Texts and numbers cannot be compared with two classes only.");
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, ID),
});

function textAgreement(truth: Column, predicted: Column, rows: Uint32Array | null): number {
  let equal = 0;
  for (let row = 0; row < truth.length; row++) {
    const other = rows === null ? row : rows[row];
    if (!isMissing(predicted, other) && cellText(truth, row) === cellText(predicted, other)) equal++;
  }
  return equal / truth.length;
}
