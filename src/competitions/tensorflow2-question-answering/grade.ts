import { microF1 } from "../../metrics/classification/micro-f1.ts";
import { type Column, cellText, isMissing } from "../../table/columns/column.ts";
import { textAt } from "../../table/columns/text-store.ts";
import { parsePythonInt, strip } from "../../table/python-text.ts";
import type { Alignment } from "../../table/rows/align-ids.ts";
import { defineGrader, type Grader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { requireColumns, requireRowCount, requireSameIds } from "../shapes/checks.ts";
import { readAnswers } from "./read-answers.ts";

/**
 * Two rows an example, `<example_id>_long` and `<example_id>_short`. The score is the share of right rows, where
 * saying nothing is right if there is no answer; the original calls it micro F1.
 */
export const grade = defineGrader({
  submission: ["example_id", "PredictionString"],
  keys: ["example_id"],
  values: ["answers"],
  rounding: "numpy",
  readAnswers,
  check(tables, problems) {
    const columns = requireColumns(tables.submission, ["example_id", "PredictionString"], problems);
    const sameCount = requireRowCount(tables, problems);
    if (!columns) return null;
    const alignment = sameCount ? requireSameIds(tables, "example_id", problems) : null;
    const predictions = readPredictions(columns[1], problems);
    return alignment && predictions ? { alignment, predictions } : null;
  },
  score({ alignment: { submissionRows }, predictions }, { answers }) {
    const valid = answers.column("answers")!.texts!;
    let hits = 0;
    for (let row = 0; row < answers.rowCount; row++) {
      const prediction = predictions[submissionRows ? submissionRows[row] : row];
      // Without an answer the list is one empty text, which is what saying nothing is.
      if (textAt(valid, row).split(" ").includes(prediction)) hits++;
    }
    return hits / answers.rowCount;
  },
});

/** F1 of the rows that have an answer: saying nothing where there is none earns nothing. */
export const gradeV2: Grader = {
  ...grade,
  score(checked, { answers }) {
    const { alignment, predictions } = checked as { alignment: Alignment; predictions: string[] };
    const valid = answers.column("answers")!.texts!;
    let hits = 0;
    let answered = 0;
    for (let row = 0; row < answers.rowCount; row++) {
      const right = textAt(valid, row);
      const prediction = predictions[alignment.submissionRows ? alignment.submissionRows[row] : row];
      if (right !== "") answered++;
      if (prediction !== "" && right.split(" ").includes(prediction)) hits++;
    }
    return microF1(hits, answered, predictions.filter((prediction) => prediction !== "").length);
  },
};

/** Each cell as an empty text, YES, NO or `start:end` in plain digits; null when one is something else. */
function readPredictions(column: Column, problems: Problems): string[] | null {
  const before = problems.count;
  const predictions: string[] = [];
  for (let row = 0; row < column.length; row++) {
    const text = isMissing(column, row) ? "" : strip(cellText(column, row));
    const prediction = text === "" || text === "YES" || text === "NO" ? text : readSpan(text);
    if (prediction !== null) predictions.push(prediction);
    else {
      problems.add({
        code: "BAD_FORMAT",
        column: column.name,
        row: row + 1,
        message: `Row ${row + 1} of "${column.name}" is "${text.slice(0, 60)}"; it must be empty, YES, NO or two whole numbers as in 105:200.`,
      });
    }
  }
  return problems.count === before ? predictions : null;
}

function readSpan(text: string): string | null {
  const halves = text.split(":", 3);
  if (halves.length !== 2) return null;
  const [start, end] = halves.map(parsePythonInt);
  return start === null || end === null ? null : `${start}:${end}`;
}
