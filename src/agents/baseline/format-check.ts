import { isNumberColumn, readTextTable, type TextTable, toNumber } from "./text-table.ts";

/**
 * What is wrong with a file beside the sample submission, or null: other columns, other ids, an empty cell or a word
 * where the sample has numbers. Ids may be in another order for a grader; here the order has to be the same too.
 */
export function formatProblem(file: string, sample: TextTable): string | null {
  const table = readTextTable(file);
  if (table === null) return "it is no table";
  if (table.header.join("\n") !== sample.header.join("\n")) return "its columns are not those of the sample";
  if (table.rows !== sample.rows) return `it has ${table.rows} rows, the sample has ${sample.rows}`;
  for (const [at, name] of sample.header.entries()) {
    const [own, given] = [table.columns[at], sample.columns[at]];
    if (at === 0) {
      const row = own.findIndex((id, i) => id !== given[i]);
      if (row !== -1) return `row ${row + 1} has the id ${own[row]}, the sample has ${given[row]}`;
    } else if (isNumberColumn(given)) {
      const row = own.findIndex((cell) => Number.isNaN(toNumber(cell)));
      if (row !== -1) return `row ${row + 1} of ${name} is no number`;
    }
  }
  return null;
}
