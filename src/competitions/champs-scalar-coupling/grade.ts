import { groupedLogMae } from "../../metrics/regression/log-mae.ts";
import type { Column } from "../../table/columns/column.ts";
import { indexIds } from "../../table/rows/id-index.ts";
import { rowComparator } from "../../table/rows/sort-rows.ts";
import { defineGrader } from "../grader.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { requireColumns } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { requireIds } from "../shapes/id-coverage.ts";
import { joinRows } from "../shapes/join-rows.ts";

const TARGET = "scalar_coupling_constant";

/** Mean over coupling types of ln(MAE). An id may be submitted several times; each copy weighs like a row of its own. */
export const grade = defineGrader({
  submission: ["id", TARGET],
  keys: ["id"],
  values: ["type", TARGET],
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireColumns(tables.submission, ["id", TARGET], problems);
    if (!columns) return null;
    const covered = requireIds(tables, "id", ["repeated"], problems);
    const predicted = finiteNumbers(columns[1], problems);
    return covered && predicted ? { predicted, rows: joinRows(tables, "id", covered) } : null;
  },
  score({ predicted, rows }, { answers }) {
    const { group, groups } = numberTypes(answers.column("type")!, rows.answers);
    const truth = answers.column(TARGET)!.numbers;
    return groupedLogMae(group, groups, gather(truth, rows.answers), gather(predicted, rows.submission));
  },
});

/** The types of the given rows, numbered in the order of their names: the order in which their logarithms are added. */
function numberTypes(types: Column, rows: Uint32Array): { group: Int32Array; groups: number } {
  const index = indexIds(types)!;
  const firstRows = Int32Array.from(rows, (row) => index.find(types, row));
  const names = [...new Set(firstRows)].sort(rowComparator(types));
  const numbers = new Map(names.map((firstRow, number) => [firstRow, number]));
  return { group: firstRows.map((firstRow) => numbers.get(firstRow)!), groups: names.length };
}
