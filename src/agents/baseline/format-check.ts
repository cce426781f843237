import { isNumberColumn, toNumber } from "./reading/cells.ts";
import { readTextTable, type TextTable } from "./reading/text-table.ts";

/**
 * What is wrong with a file beside the sample submission, or null: other columns, other ids, an empty cell or a word
 * where the sample has numbers. Ids may be in another order for a grader; here the order has to be the same too.
 */
export function formatProblem(file: string, sample: TextTable): string | null {
  const table = readTextTable(file);
  if (table === null) return "it is not a table";
  if (table.header.join("\n") !== sample.header.join("\n")) return "its columns are not those of the sample";
  if (table.rows !== sample.rows) return `it has ${table.rows} rows, the sample has ${sample.rows}`;
  for (const [at, name] of sample.header.entries()) {
    const [own, given] = [table.columns[at], sample.columns[at]];
    const isNumber = at > 0 && isNumberColumn(given);
    for (let row = 0; row < own.length; row++) {
      if (at === 0 && own.at(row) !== given.at(row))
        return `row ${row + 1} has the id ${own.at(row)}, the sample has ${given.at(row)}`;
      if (isNumber && Number.isNaN(toNumber(own.at(row) ?? "")))
        return `row ${row + 1} of ${name} is not a number`;
    }
  }
  return null;
}
