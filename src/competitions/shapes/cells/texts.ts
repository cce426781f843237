import { type Column, cellText, isMissing, kindAt } from "../../../table/columns/column.ts";
import type { Problems } from "../../problems.ts";

/**
 * Every cell that holds anything must be a string; missing cells pass. A file with one bare number in each row fails
 * here: the whole column is then read as numbers. `rows` limits the check to the first rows.
 */
export function requireTexts(column: Column, problems: Problems, rows = column.length): boolean {
  if (column.kind === "text") return true;
  const before = problems.count;
  for (let row = 0; row < rows; row++) {
    if (isMissing(column, row) || kindAt(column, row) === "text") continue;
    problems.add({
      code: "WRONG_KIND",
      column: column.name,
      row: row + 1,
      message: `Column "${column.name}" must hold text, but row ${row + 1} was read as the value ${cellText(column, row)}: a column of bare numbers or of true and false only is not text.`,
    });
  }
  return problems.count === before;
}
