import { macroF1 } from "../../../metrics/classification/macro-f1.ts";
import type { Grader } from "../../grader.ts";
import { integerLabels, truncatedInteger } from "../cells/integer-cells.ts";
import { gather } from "../gather.ts";
import { oneTarget } from "../one-target.ts";

/** One class number a row, mean F1 over classes. Fractions are cut off, not refused: 5.9 is class 5. */
export function classNumberMacroF1({ id, target }: { id: string; target: string }): Grader {
  return oneTarget({
    id,
    target,
    rounding: "numpy",
    read: (predicted, problems) => integerLabels(predicted, truncatedInteger, problems),
    score: (labels, truth, { submissionRows }) => macroF1(truth.numbers, gather(labels, submissionRows)),
  });
}
