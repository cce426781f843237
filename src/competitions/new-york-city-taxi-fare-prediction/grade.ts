import { rmse } from "../../metrics/regression/rmse.ts";
import type { Column } from "../../table/columns/column.ts";
import { sortedRows } from "../../table/rows/sort-rows.ts";
import { defineGrader, type Grader } from "../grader.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { requireColumns, requireRowCount, requireSameIds } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";

/**
 * RMSE of fares. Keys are sorted on both sides and rows paired by their place in that order, but keys are never
 * compared: any keys that sort like the real ones will do.
 */
export const grade = defineGrader({
  submission: ["key", "fare_amount"],
  keys: ["key"],
  values: ["fare_amount"],
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireColumns(tables.submission, ["key", "fare_amount"], problems);
    const sameCount = requireRowCount(tables, problems);
    if (!columns) return null;
    const [keys, fares] = columns;
    const predicted = finiteNumbers(fares, problems);
    const order = keyOrder(keys);
    if (!order) {
      problems.add({
        code: "WRONG_IDS",
        column: "key",
        message: `Column "key" holds numbers in some rows and text in others, so it cannot be sorted.`,
      });
    }
    return sameCount && predicted && order ? { predicted, order } : null;
  },
  score({ predicted, order }, { answers }) {
    const answersOrder = keyOrder(answers.column("key")!)!;
    return rmse(gather(answers.column("fare_amount")!.numbers, answersOrder), gather(predicted, order));
  },
  pairs: ({ order }, { answers }) => ({
    submission: order,
    answers: keyOrder(answers.column("key")!)!,
    idColumn: "key",
  }),
});

/** The same, but the keys must be those of the answers. */
export const gradeV2: Grader = {
  ...grade,
  check(tables, problems) {
    const checked = grade.check(tables, problems);
    return requireSameIds(tables, "key", problems) && checked;
  },
};

function keyOrder(keys: Column): Uint32Array | null {
  // True and false with gaps sort like numbers, although pandas does not call them numeric.
  return sortedRows(keys.kind === "bool+missing" ? { ...keys, kind: "float" } : keys);
}
