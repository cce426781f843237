import { microF1 } from "../../metrics/classification/micro-f1.ts";
import type { Column } from "../../table/columns/column.ts";
import { defineGrader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { countEqualTexts } from "../shapes/graders/label-agreement.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";

const ID = "file";
const TARGET = "species";

/** Micro F1 of one species a row, which is their accuracy. Empty cells are wrong; numbers are refused. */
export const grade = defineGrader({
  submission: [ID, TARGET],
  keys: [ID],
  values: [TARGET],
  rounding: "numpy",
  check(tables, problems) {
    const { alignment, predicted } = requireIdAndTarget(tables, ID, TARGET, problems);
    return predicted && requireTexts(predicted, problems) && alignment ? { alignment, predicted } : null;
  },
  score({ alignment, predicted }, { answers }) {
    const truth = answers.column(TARGET)!.texts!;
    const right = countEqualTexts(truth, predicted.texts!, alignment.submissionRows);
    return microF1(right, truth.length, truth.length);
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, ID),
});

function requireTexts(column: Column, problems: Problems): boolean {
  if (column.kind === "text" || column.kind === "none") return true;
  const isEmpty = column.missingCount === column.length;
  problems.add({
    code: isEmpty ? "MISSING_VALUE" : "WRONG_KIND",
    column: column.name,
    message: `Column "${column.name}" ${isEmpty ? "is empty" : "holds no texts"}; names of species are expected.`,
  });
  return false;
}
