import { type Column, cellText } from "../../table/columns/column.ts";
import { type IdIndex, indexIds } from "../../table/rows/id-index.ts";
import { plural } from "../../wording/counts.ts";
import type { Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { expectedText } from "../shapes/checks.ts";

/** Problems worth describing; a file may have a million. */
const ENOUGH = 1000;

/** The rows of one trip on both sides, in file order. */
export interface Trip {
  submission: Uint32Array;
  answers: Uint32Array;
}

/** The trips in the order in which the answers first name them; null when one has another number of rows there. */
export function requireTrips(tables: Tables, column: string, problems: Problems): Trip[] | null {
  const before = problems.count;
  const expected = tables.answers.column(column)!;
  const submitted = tables.submission.column(column)!;
  const index = indexIds(expected)!;
  const submittedRows = rowsByTrip(submitted, index, (row) => {
    if (problems.count - before >= ENOUGH) return;
    problems.add({
      code: "WRONG_IDS",
      column,
      row: row + 1,
      message: `Row ${row + 1} belongs to trip "${cellText(submitted, row).slice(0, 60)}", which is not expected.`,
    });
  });
  const trips: Trip[] = [];
  for (const [firstRow, rows] of rowsByTrip(expected, index, () => {})) {
    const found = submittedRows.get(firstRow) ?? [];
    if (found.length !== rows.length) {
      problems.add({
        code: "WRONG_ROW_COUNT",
        column,
        message: `Trip "${cellText(expected, firstRow)}" has ${plural(found.length, "row")}; ${expectedText(rows.length)}.`,
      });
    }
    trips.push({ submission: Uint32Array.from(found), answers: Uint32Array.from(rows) });
  }
  return problems.count === before ? trips : null;
}

/** Rows by the first row of the answers that names their trip. */
function rowsByTrip(trips: Column, index: IdIndex, onUnknown: (row: number) => void): Map<number, number[]> {
  const byTrip = new Map<number, number[]>();
  for (let row = 0; row < trips.length; row++) {
    const firstRow = index.find(trips, row);
    if (firstRow < 0) {
      onUnknown(row);
      continue;
    }
    const rows = byTrip.get(firstRow);
    if (rows) rows.push(row);
    else byTrip.set(firstRow, [row]);
  }
  return byTrip;
}
