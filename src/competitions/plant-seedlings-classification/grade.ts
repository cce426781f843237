import { microF1 } from "../../metrics/classification/micro-f1.ts";
import type { Column } from "../../table/columns/column.ts";
import type { Problems } from "../problems.ts";
import { countEqualTexts } from "../shapes/graders/label-agreement.ts";
import { oneTarget } from "../shapes/one-target.ts";

/** Micro F1 of one species a row, which is their accuracy. Empty cells are wrong; numbers are refused. */
export const grade = oneTarget({
  id: "file",
  target: "species",
  rounding: "numpy",
  read: (predicted, problems) => (requireTexts(predicted, problems) ? predicted : null),
  score(predicted, { texts, length }, { submissionRows }) {
    return microF1(countEqualTexts(texts!, predicted.texts!, submissionRows), length, length);
  },
});

function requireTexts(column: Column, problems: Problems): boolean {
  if (column.kind === "text" || column.kind === "none") return true;
  const isEmpty = column.missingCount === column.length;
  problems.add({
    code: isEmpty ? "MISSING_VALUE" : "WRONG_KIND",
    column: column.name,
    message: `Column "${column.name}" ${isEmpty ? "is empty" : "holds no text"}; names of species are expected.`,
  });
  return false;
}
