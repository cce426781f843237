import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { rocAuc } from "../../metrics/classification/roc-auc.ts";
import type { Column } from "../../table/columns/column.ts";
import { indexIds } from "../../table/rows/id-index.ts";
import { rowComparator, sortedRows } from "../../table/rows/sort-rows.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader } from "../grader.ts";
import { collectProblems, type Problem } from "../problems.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { requireExactColumns, requireRowCount } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { requireIds } from "../shapes/id-coverage.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const LABELS = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"];

/**
 * Mean of six areas under the ROC curve. Columns go by their place, not by their name. Rows whose answers are
 * negative do not count, whatever is submitted for them; the rest is paired by place among the sorted ids, so a
 * counted id that stands in for another one shifts rows instead of being refused.
 */
export const grade = defineGrader({
  submission: ["id", ...LABELS],
  keys: ["id"],
  values: LABELS,
  rounding: "numpy",
  check(tables, problems) {
    const { submission } = tables;
    const columns = requireExactColumns(submission, ["id", ...LABELS], problems);
    const sameCount = requireRowCount(tables, problems);
    if (!columns) return null;
    const knownIds = requireIds(tables, "id", ["repeated", "absent"], problems);
    if (!sameCount || !knownIds) return null;
    const byPlace = submission.header.filter((name) => name !== "id");
    return { ids: columns[0], scores: byPlace.map((name) => submission.column(name)!) };
  },
  score({ ids, scores }, { answers }) {
    const rows = countedRows(ids, answers);
    if ("code" in rows) return rows;
    const problems = collectProblems();
    const areas = LABELS.map((label, i) => {
      const predicted = finiteNumbers(scores[i], problems, rows.submission);
      const truth = gather(answers.column(label)!.numbers, rows.answers);
      return predicted && rocAuc(truth, gather(predicted, rows.submission));
    });
    if (problems.count > 0) return problems.list[0];
    if (areas.includes(null)) return undefinedScore("The answers hold one class only in some column.");
    return numpyMean(Float64Array.from(areas, Number));
  },
});

function countedRows(ids: Column, answers: Table) {
  const answerIds = answers.column("id")!;
  const index = indexIds(answerIds)!;
  const labels = LABELS.map((name) => answers.column(name)!.numbers);
  const counts = (row: number) => labels.reduce((sum, numbers) => sum + numbers[row], 0) >= 0;
  const rows = {
    submission: rowsInOrder(ids).filter((row) => counts(index.find(ids, row))),
    answers: rowsInOrder(answerIds).filter(counts),
  };
  return rows.submission.length === rows.answers.length
    ? rows
    : wrongCount(rows.submission.length, rows.answers.length);
}

/** Rows that are in order already stay as they are; numpy's sort would move some of those with equal ids. */
function rowsInOrder(ids: Column): Uint32Array {
  const compare = rowComparator(ids);
  const rows = Uint32Array.from({ length: ids.length }, (_, row) => row);
  return rows.every((row) => row === 0 || compare(row - 1, row) <= 0) ? rows : sortedRows(ids)!;
}

function wrongCount(submitted: number, expected: number): Problem {
  return {
    code: "WRONG_IDS",
    column: "id",
    message: `${submitted} of the submission's rows count; ${expected} are expected. Some id is repeated in place of another.`,
  };
}
