import { meanAngularError } from "../../metrics/regression/angular-error.ts";
import type { Column } from "../../table/columns/column.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { requireFinite, requireNumeric } from "../shapes/cells/numbers.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { requireExactColumns, requireRowCount, requireSameIds } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";

const ID = "event_id";
const ANGLES = ["azimuth", "zenith"];

/** Mean angle between true and predicted directions. Angles of any range are legal, true and false are not. */
export const grade = defineGrader({
  submission: [ID, ...ANGLES],
  keys: [ID],
  values: ANGLES,
  rounding: "numpy",
  check(tables, problems) {
    const { submission } = tables;
    const columns = requireExactColumns(submission, [ID, ...ANGLES], problems);
    requireRowCount(tables, problems);
    const angles = ANGLES.flatMap((name) => submission.column(name) ?? []);
    const usable = angles.map((column) => requireAngles(column, problems));
    const alignment = submission.column(ID) ? requireSameIds(tables, ID, problems) : null;
    return columns && alignment && !usable.includes(false) ? { alignment } : null;
  },
  score({ alignment }, { submission, answers }) {
    const order = alignment.sorted();
    return meanAngularError(directions(answers, order.answers), directions(submission, order.submission));
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, ID),
});

function requireAngles(column: Column, problems: Problems): boolean {
  if (column.kind !== "bool") return requireNumeric(column, problems) && requireFinite(column, problems);
  problems.add({
    code: "WRONG_KIND",
    column: column.name,
    message: `Column "${column.name}" must hold angles; it holds true and false.`,
  });
  return false;
}

function directions(table: Table, rows: Uint32Array) {
  return {
    azimuth: gather(table.column("azimuth")!.numbers, rows),
    zenith: gather(table.column("zenith")!.numbers, rows),
  };
}
