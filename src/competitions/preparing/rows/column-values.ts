import { type Column, cellText, isMissing } from "../../../table/columns/column.ts";
import type { CsvCell, CsvColumnKind } from "../../../table/csv/writer.ts";

/** Every cell as Python's `str` prints it; a missing one is null. For ids, labels and file names. */
export function texts(column: Column): (string | null)[] {
  return Array.from({ length: column.length }, (_, row) =>
    isMissing(column, row) ? null : cellText(column, row),
  );
}

/** Every cell as text, where none may be missing; a missing one is the text `nan`, as in a Python f-string. */
export function plainTexts(column: Column): string[] {
  return Array.from({ length: column.length }, (_, row) => cellText(column, row));
}

/** The kind under which a made table shows a column that was read. A column of several kinds is shown as text. */
export function csvKindOf(column: Column): CsvColumnKind {
  switch (column.kind) {
    case "int":
    case "uint":
      return "int";
    case "float":
    case "none":
      return "float";
    case "bool":
    case "bool+missing":
      return "bool";
    default:
      return "text";
  }
}

/** A cell of a column that was read, for a made table; missing is null. */
export function csvCellOf(column: Column, row: number): CsvCell {
  if (isMissing(column, row)) return null;
  switch (csvKindOf(column)) {
    case "text":
      return cellText(column, row);
    case "bool":
      return column.numbers[row] === 1;
    case "int":
      return column.wide ? BigInt(cellText(column, row)) : column.numbers[row];
    default:
      return column.numbers[row];
  }
}
