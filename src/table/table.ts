import type { Column } from "./columns/column.ts";

/** A parsed table. Only the columns that were asked for are there; `header` names them all. */
export interface Table {
  header: readonly string[];
  rowCount: number;
  /** A column that was asked for, or undefined when the file has none of that name. */
  column(name: string): Column | undefined;
  /**
   * The row labels, when data rows have one field more than the header: pandas then takes the first field of each
   * row as its label, and every named column shifts to the right.
   */
  rowLabels: Column | null;
}

/** Why a file is not a table, in words for its author. `row` counts data rows from 1. */
export interface TableProblem {
  code:
    | "NOT_UTF8"
    | "OPEN_QUOTE"
    | "RAGGED_ROW"
    | "BLANK_BEHIND_RETURN"
    | "FIELD_TOO_LONG"
    | "FILE_TOO_LARGE"
    | "TOO_MANY_COLUMNS"
    | "UNREADABLE";
  message: string;
  row?: number;
}

export type TableOutcome = { ok: true; table: Table } | { ok: false; problem: TableProblem };

export function makeTable(
  header: readonly string[],
  rowCount: number,
  columns: Column[],
  rowLabels: Column | null,
): Table {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return { header, rowCount, column: (name) => byName.get(name), rowLabels };
}

/** What a file without any line is to pandas: no columns and no rows. */
export const EMPTY_TABLE: Table = makeTable([], 0, [], null);
