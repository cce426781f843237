import { type Column, cellText, isMissing } from "../../../table/columns/column.ts";
import type { CsvCell, CsvColumnKind } from "../../../table/csv/writer.ts";
import { csvCellOf, csvKindOf } from "./column-values.ts";

/** The kind of a column put together from several: integers in one of them become floats if another has floats. */
export function joinedKind(columns: readonly Column[]): CsvColumnKind {
  const filled = columns.filter(({ length }) => length > 0);
  if (new Set(filled.map(({ kind }) => kind)).size === 1) return csvKindOf(filled[0]);
  const kinds = new Set(filled.map(csvKindOf));
  if (kinds.has("bool") && kinds.size === 1) return "bool";
  return kinds.has("text") || kinds.has("bool") ? "text" : "float";
}

/** A cell of one of them, for a table in which their common kind is `kind`. */
export function joinedCell(column: Column, row: number, kind: CsvColumnKind): CsvCell {
  if (kind === csvKindOf(column) || isMissing(column, row)) return csvCellOf(column, row);
  return kind === "text" ? cellText(column, row) : column.numbers[row];
}
