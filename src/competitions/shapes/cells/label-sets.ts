import { microF1 } from "../../../metrics/classification/micro-f1.ts";
import { type Column, isText } from "../../../table/columns/column.ts";
import { numberWords } from "../../../table/columns/word-numbers.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { requireColumns, requireRowCount, requireSameIds } from "../checks.ts";
import { pairsOf } from "./pairs.ts";
import { requireTexts } from "./texts.ts";

/**
 * Any number of labels a row, between blanks: F1 over all label assignments. A missing cell has no labels, a label
 * given twice counts once, and a predicted label that no answer uses is dropped: it costs nothing, unless
 * `unknownLabels` makes it as wrong as any other.
 */
export function labelSets({
  id,
  target,
  unknownLabels = "free",
}: {
  id: string;
  target: string;
  unknownLabels?: "free" | "wrong";
}): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const columns = requireColumns(tables.submission, [id, target], problems);
      const sameCount = requireRowCount(tables, problems);
      if (!columns) return null;
      const [, predicted] = columns;
      const texts = requireTexts(predicted, problems);
      const alignment = sameCount ? requireSameIds(tables, id, problems) : null;
      return texts && alignment ? { alignment, predicted } : null;
    },
    score: ({ alignment, predicted }, { answers }) =>
      labelSetF1(answers.column(target)!, predicted, alignment.submissionRows, unknownLabels),
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}

function labelSetF1(
  truth: Column,
  predicted: Column,
  submissionRows: Uint32Array | null,
  unknownLabels: "free" | "wrong",
): number {
  const labels = numberWords();
  const ignore = () => {};
  // Labels without a number are passed over below.
  for (const column of unknownLabels === "free" ? [truth] : [truth, predicted])
    for (let row = 0; row < column.length; row++)
      if (isText(column, row)) labels.add(column.texts!, row, ignore);
  // The last row that used a label, on either side: tells repeats and matches apart without a set for each row.
  const trueIn = new Int32Array(labels.size).fill(-1);
  const predictedIn = new Int32Array(labels.size).fill(-1);
  let hits = 0;
  let trueCount = 0;
  let predictedCount = 0;
  for (let row = 0; row < truth.length; row++) {
    if (isText(truth, row)) {
      labels.find(truth.texts!, row, (label) => {
        if (trueIn[label] === row) return;
        trueIn[label] = row;
        trueCount++;
      });
    }
    const submissionRow = submissionRows ? submissionRows[row] : row;
    if (!isText(predicted, submissionRow)) continue;
    labels.find(predicted.texts!, submissionRow, (label) => {
      if (predictedIn[label] === row) return;
      predictedIn[label] = row;
      predictedCount++;
      if (trueIn[label] === row) hits++;
    });
  }
  return microF1(hits, trueCount, predictedCount);
}
