import { matthewsCorrelation } from "../../metrics/classification/matthews.ts";
import { defineGrader } from "../grader.ts";
import { exactLabels } from "../shapes/cells/exact-labels.ts";
import { requireWholeNumbers } from "../shapes/cells/labels.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { gather } from "../shapes/gather.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";

const ID = "contact_id";
const TARGET = "contact";

/** Matthews correlation of whole numbers; one that is neither 0 nor 1 is a class of its own. */
export const grade = defineGrader({
  submission: [ID, TARGET],
  keys: [ID],
  values: [TARGET],
  rounding: "numpy",
  check(tables, problems) {
    const { alignment, predicted } = requireIdAndTarget(tables, ID, TARGET, problems);
    const usable = predicted && requireWholeNumbers(predicted, problems);
    return usable && alignment ? { alignment, labels: exactLabels(predicted) } : null;
  },
  score: ({ alignment, labels }, { answers }) =>
    matthewsCorrelation(answers.column(TARGET)!.numbers, gather(labels, alignment.submissionRows)),
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, ID),
});
