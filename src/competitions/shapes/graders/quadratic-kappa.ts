import { quadraticWeightedKappa } from "../../../metrics/classification/quadratic-kappa.ts";
import type { Grader } from "../../grader.ts";
import { exactLabels } from "../cells/exact-labels.ts";
import { requireWholeNumbers } from "../cells/labels.ts";
import { gather } from "../gather.ts";
import { oneTarget } from "../one-target.ts";
import { requireOptions } from "../shape-options.ts";

/** One whole-number grade a row, quadratic weighted kappa. Grades outside the scale are legal. */
export function gradeKappa(options: { id: string; target: string }): Grader {
  const { id, target } = requireOptions("gradeKappa", options, { id: "text", target: "text" });
  return oneTarget({
    id,
    target,
    rounding: "numpy",
    read(predicted, problems) {
      if (predicted.length === 0) problems.add({ code: "NO_ROWS", message: "The submission has no rows." });
      return requireWholeNumbers(predicted, problems) ? exactLabels(predicted) : null;
    },
    score: (labels, truth, { submissionRows }) =>
      quadraticWeightedKappa(truth.numbers, gather(labels, submissionRows)),
  });
}
