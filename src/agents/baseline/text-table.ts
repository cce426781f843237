import { cellText, isMissing } from "../../table/column.ts";
import { readCsvFile } from "../../table/csv-reader.ts";

/** A small table as it is written: every cell a text, an empty cell an empty one. */
export interface TextTable {
  readonly header: readonly string[];
  readonly rows: number;
  readonly columns: readonly (readonly string[])[];
}

/** Null for a file that is no table. */
export function readTextTable(file: string): TextTable | null {
  const first = readCsvFile(file, { columns: () => [] });
  if (!first.ok || first.table.rowLabels !== null) return null;
  const { header } = first.table;
  const read = readCsvFile(file, { textColumns: header });
  if (!read.ok) return null;
  const rows = read.table.rowCount;
  const columns = header.map((name) => {
    const column = read.table.column(name);
    if (column === undefined) return new Array<string>(rows).fill("");
    return Array.from({ length: rows }, (_, row) => (isMissing(column, row) ? "" : cellText(column, row)));
  });
  return { header, rows, columns };
}

/** The cells of a column, or null when there is none of that name. */
export function columnOf(table: TextTable, name: string): readonly string[] | null {
  const at = table.header.indexOf(name);
  return at === -1 ? null : table.columns[at];
}

/** A finite number, or NaN: an empty cell is none, although `Number("")` is 0. */
export function toNumber(cell: string): number {
  const text = cell.trim();
  const value = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** Whether all cells that are not empty are numbers, and there is one. */
export function isNumberColumn(cells: readonly string[]): boolean {
  let seen = false;
  for (const cell of cells) {
    if (cell === "") continue;
    if (Number.isNaN(toNumber(cell))) return false;
    seen = true;
  }
  return seen;
}
