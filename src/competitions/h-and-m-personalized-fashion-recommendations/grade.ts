import { indexIds } from "../../table/rows/id-index.ts";
import { introsortOrder } from "../../table/rows/introsort.ts";
import { rowComparator, sortedRows } from "../../table/rows/sort-rows.ts";
import { defineGrader, type RowPairs, type Tables } from "../grader.ts";
import { requireExactColumns } from "../shapes/checks.ts";
import { meanAveragePrecision } from "../shapes/graders/mean-average-precision.ts";
import { type IdCoverage, requireIds } from "../shapes/id-coverage.ts";
import { joinRows } from "../shapes/join-rows.ts";

const ID = "customer_id";
const ITEMS = 12;

/**
 * MAP@12 over the customers of the answers; other customers may be listed and do not count. Article ids are compared
 * as texts, and the answers' have lost their leading zero.
 */
export const grade = defineGrader({
  submission: [ID, "prediction"],
  keys: [ID],
  values: ["prediction"],
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireExactColumns(tables.submission, [ID, "prediction"], problems);
    if (!tables.submission.column(ID)) return null;
    const covered = requireIds(tables, ID, ["empty", "unexpected", "repeated"], problems);
    return columns && covered ? pairCustomers(tables, covered) : null;
  },
  score: (rows, { submission, answers }) =>
    meanAveragePrecision(submission.column("prediction")!, answers.column("prediction")!, rows, ITEMS),
  pairs: (rows) => rows,
});

/**
 * Both sides sorted by customer and paired by place. A customer who is listed twice shifts all that follow by one
 * row; rows left over at the end are ignored.
 */
function pairCustomers(tables: Tables, covered: IdCoverage): RowPairs {
  const customers = tables.answers.column(ID)!;
  const answers = sortedRows(customers)!;
  const joined = joinRows(tables, ID, covered).submission;
  if (joined.length === answers.length) {
    return { submission: answers.map((row) => joined[row]), answers, idColumn: ID };
  }
  const submitted = tables.submission.column(ID)!;
  const index = indexIds(customers)!;
  const kept = Uint32Array.from({ length: submitted.length }, (_, row) => row).filter(
    (row) => index.find(submitted, row) >= 0,
  );
  const compare = rowComparator(submitted);
  const order = introsortOrder(kept.length, (a, b) => compare(kept[a], kept[b]) < 0);
  return { submission: order.slice(0, answers.length).map((at) => kept[at]), answers, idColumn: ID };
}
