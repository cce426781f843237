import { accuracy } from "../../metrics/classification/accuracy.ts";
import { type Column, kindAt } from "../../table/columns/column.ts";
import { textAt } from "../../table/columns/text-store.ts";
import { parsePythonInt, words } from "../../table/python-text.ts";
import { integerAt, integerLabels } from "../shapes/cells/integer-cells.ts";
import { gather } from "../shapes/gather.ts";
import { oneTarget } from "../shapes/one-target.ts";

const ID = "id";
const TARGET = "predicted";

/** The share of rows whose first class number is wrong; further numbers in a cell are ignored. */
export const grade = oneTarget({
  id: ID,
  target: TARGET,
  rounding: "python",
  read: (predicted, problems) => integerLabels(predicted, firstInteger, problems),
  score: (labels, truth, { submissionRows }) => 1 - accuracy(truth.numbers, gather(labels, submissionRows)),
});

/** A single `5.0` makes a column of integers a column of floats, and those are refused altogether. */
function firstInteger(column: Column, row: number): number | bigint | null {
  const kind = kindAt(column, row);
  if (kind === "text") return parsePythonInt(words(textAt(column.texts!, row))[0] ?? "");
  return kind === "float" ? null : integerAt(column, row);
}
