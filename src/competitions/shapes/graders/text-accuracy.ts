import { type Column, cellText, isMissing } from "../../../table/columns/column.ts";
import { compareTexts } from "../../../table/columns/text-store.ts";
import type { Grader } from "../../grader.ts";
import { oneTarget } from "../one-target.ts";

/**
 * Accuracy of texts, compared exactly. Every cell is legal: it is compared as Python prints it, so that all spellings
 * of a missing value are equal to each other, and `1` in a column of floats is `1.0`.
 */
export function textAccuracy({ id, target }: { id: string; target: string }): Grader {
  return oneTarget({
    id,
    target,
    rounding: "python",
    read: (predicted) => predicted,
    score(predicted, truth, { submissionRows }) {
      let equal = 0;
      for (let row = 0; row < truth.length; row++) {
        if (samePrint(truth, row, predicted, submissionRows === null ? row : submissionRows[row])) equal++;
      }
      return equal / truth.length;
    },
  });
}

function samePrint(a: Column, i: number, b: Column, j: number): boolean {
  const plainTexts = a.kind === "text" && b.kind === "text" && !isMissing(a, i) && !isMissing(b, j);
  return plainTexts ? compareTexts(a.texts!, i, b.texts!, j) === 0 : cellText(a, i) === cellText(b, j);
}
