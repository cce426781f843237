import { accuracy } from "../../metrics/classification/accuracy.ts";
import { type Column, kindAt } from "../../table/columns/column.ts";
import { textAt } from "../../table/columns/text-store.ts";
import { parsePythonInt, words } from "../../table/python-text.ts";
import { defineGrader } from "../grader.ts";
import { integerAt, integerLabels } from "../shapes/cells/integer-cells.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { gather } from "../shapes/gather.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";

const ID = "id";
const TARGET = "predicted";

/** The share of rows whose first class number is wrong; further numbers in a cell are ignored. */
export const grade = defineGrader({
  submission: [ID, TARGET],
  keys: [ID],
  values: [TARGET],
  rounding: "python",
  check(tables, problems) {
    const { alignment, predicted } = requireIdAndTarget(tables, ID, TARGET, problems);
    const labels = predicted && integerLabels(predicted, firstInteger, problems);
    return alignment && labels ? { alignment, labels } : null;
  },
  score: ({ alignment, labels }, { answers }) =>
    1 - accuracy(answers.column(TARGET)!.numbers, gather(labels, alignment.submissionRows)),
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, ID),
});

/** A single `5.0` makes a column of integers a column of floats, and those are refused altogether. */
function firstInteger(column: Column, row: number): number | bigint | null {
  const kind = kindAt(column, row);
  if (kind === "text") return parsePythonInt(words(textAt(column.texts!, row))[0] ?? "");
  return kind === "float" ? null : integerAt(column, row);
}
