import { labelWeightedLrap } from "../../metrics/classification/lwlrap.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader } from "../grader.ts";
import { collectProblems } from "../problems.ts";
import { alignedColumns } from "../shapes/aligned-columns.ts";
import { finiteNumbers, requireNumeric } from "../shapes/cells/numbers.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { requireColumnOrder } from "../shapes/column-order.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";
import { TARGETS } from "./targets.ts";

/**
 * Label-weighted ranking precision of 80 scores a row. Rows without any true label are never looked at, so only the
 * answers tell whether a missing or infinite score matters.
 */
export const grade = defineGrader({
  submission: ["fname", ...TARGETS],
  keys: ["fname"],
  values: TARGETS,
  rounding: "numpy",
  check(tables, problems) {
    const found = alignedColumns(tables, "fname", TARGETS, problems, requireColumnOrder);
    if (!found) return null;
    const { columns, alignment } = found;
    const numeric = columns.filter((column) => requireNumeric(column, problems));
    const isAllBoolean = columns.every(({ kind }) => kind === "bool");
    if (isAllBoolean) {
      problems.add({
        code: "WRONG_KIND",
        message: "Every column holds true/false, which cannot be ranked; write numbers.",
      });
    }
    return alignment && numeric.length === columns.length && !isAllBoolean ? { alignment, columns } : null;
  },
  score({ alignment, columns }, { answers }) {
    const rows = alignment.sorted();
    const counted = rows.submission.filter((_, i) => hasLabel(answers, rows.answers[i]));
    const problems = collectProblems();
    for (const column of columns) finiteNumbers(column, problems, counted);
    if (problems.count > 0) return problems.list[0];
    const precision = labelWeightedLrap(
      TARGETS.map((name) => gather(answers.column(name)!.numbers, rows.answers)),
      columns.map(({ numbers }) => gather(numbers, rows.submission)),
    );
    return precision ?? undefinedScore("The answers hold no label at all.");
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "fname"),
});

function hasLabel(answers: Table, row: number): boolean {
  return TARGETS.some((name) => answers.column(name)!.numbers[row] === 1);
}
