import { type Column, cellText, isMissing } from "../../../table/columns/column.ts";
import { words } from "../../../table/python-text.ts";

/** The distinct words of a cell in lower case; a missing cell has none. */
export function wordSet(column: Column, row: number): Set<string> {
  return new Set(isMissing(column, row) ? [] : words(cellText(column, row).toLowerCase()));
}
