import { type Column, cellText, isMissing } from "../../table/column.ts";

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
