import { type Column, cellText, isText } from "../../../table/columns/column.ts";
import type { Problems } from "../../problems.ts";

/**
 * Any column without text, for graders that compare its cells one by one and so survive a gap: true/false with
 * missing cells counts as numbers here, unlike everywhere else. A missing cell is NaN. Null: problems.
 */
export function numbersWithGaps(column: Column, problems: Problems): Float64Array | null {
  if (column.texts === null) return column.numbers;
  const before = problems.count;
  for (let row = 0; row < column.length; row++) {
    if (!isText(column, row)) continue;
    problems.add({
      code: "NOT_A_NUMBER",
      column: column.name,
      row: row + 1,
      message: `Column "${column.name}" must be numeric; row ${row + 1} holds "${cellText(column, row).slice(0, 60)}".`,
    });
  }
  return problems.count === before ? column.numbers : null;
}
