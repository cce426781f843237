import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { spearman } from "../../metrics/regression/spearman.ts";
import { type Column, isMissing } from "../../table/columns/column.ts";
import { rowComparator, sortedRows } from "../../table/rows/sort-rows.ts";
import { defineGrader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { requireExactColumns, requireRowCount } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { TARGETS } from "./targets.ts";

/**
 * Mean over 30 columns of Spearman's rank correlation. Ids are never compared: each table is sorted by its own
 * `qa_id` and rows are paired by place. A constant column or a missing value is valid and makes the score NaN.
 */
export const grade = defineGrader({
  submission: ["qa_id", ...TARGETS],
  keys: ["qa_id"],
  values: TARGETS,
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireExactColumns(tables.submission, ["qa_id", ...TARGETS], problems);
    const sameCount = requireRowCount(tables, problems);
    if (!columns) return null;
    const [ids, ...targets] = columns;
    const rows = sortedRows(ids);
    if (rows === null) reportMixture(ids, problems);
    const values = targets.flatMap((column) => orderedValues(column, problems) ?? []);
    return rows && sameCount && values.length === TARGETS.length ? { rows, values } : null;
  },
  score({ rows, values }, { answers }) {
    const answerRows = sortedRows(answers.column("qa_id")!);
    const correlations = TARGETS.map((name, i) =>
      spearman(gather(answers.column(name)!.numbers, answerRows), gather(values[i], rows)),
    );
    return numpyMean(Float64Array.from(correlations));
  },
});

/** Numbers in the order of the cells: numbers themselves, places in the order of code points for texts. */
function orderedValues(column: Column, problems: Problems): Float64Array | null {
  if (column.kind === "text") return textPlaces(column);
  const isComparable = column.texts === null || column.missingCount > 0;
  if (isComparable) return column.numbers;
  reportMixture(column, problems);
  return null;
}

/** Equal texts share a place; a missing one has none. */
function textPlaces(column: Column): Float64Array {
  const order = sortedRows(column)!;
  const compare = rowComparator(column);
  const places = new Float64Array(column.length);
  let place = 0;
  order.forEach((row, i) => {
    if (i > 0 && compare(order[i - 1], row) !== 0) place++;
    places[row] = isMissing(column, row) ? Number.NaN : place;
  });
  return places;
}

function reportMixture({ name }: Column, problems: Problems): void {
  problems.add({
    code: "WRONG_KIND",
    column: name,
    message: `Column "${name}" holds numbers in some rows and text in others, which cannot be put in order.`,
  });
}
