import { matthewsCorrelation } from "../../metrics/classification/matthews.ts";
import { exactLabels } from "../shapes/cells/exact-labels.ts";
import { requireWholeNumbers } from "../shapes/cells/labels.ts";
import { gather } from "../shapes/gather.ts";
import { oneTarget } from "../shapes/one-target.ts";

/** Matthews correlation of whole numbers; one that is neither 0 nor 1 is a class of its own. */
export const grade = oneTarget({
  id: "contact_id",
  target: "contact",
  rounding: "numpy",
  read: (predicted, problems) => (requireWholeNumbers(predicted, problems) ? exactLabels(predicted) : null),
  score: (labels, truth, { submissionRows }) =>
    matthewsCorrelation(truth.numbers, gather(labels, submissionRows)),
});
