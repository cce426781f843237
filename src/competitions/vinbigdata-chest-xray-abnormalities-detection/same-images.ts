import { type Column, cellText } from "../../table/columns/column.ts";
import { indexIds } from "../../table/rows/id-index.ts";
import type { Problems } from "../problems.ts";

const EXAMPLES = 5;

/**
 * For each row of the submission the answers' first row of the same image. Both sides must name the same images, but
 * each as often as it likes. Null: problems.
 */
export function requireSameImages(
  submitted: Column,
  expected: Column,
  problems: Problems,
): Uint32Array | null {
  const known = indexIds(expected);
  const used = indexIds(submitted);
  const rows = new Uint32Array(submitted.length);
  const unexpected: number[] = [];
  for (let row = 0; row < rows.length; row++) {
    const found = known?.find(submitted, row) ?? -1;
    if (found < 0) unexpected.push(row);
    else rows[row] = found;
  }
  const absent: number[] = [];
  for (let row = 0; row < expected.length; row++) {
    const isFirst = known?.find(expected, row) === row;
    if (isFirst && (used?.find(expected, row) ?? -1) < 0) absent.push(row);
  }
  report(submitted, unexpected, "are not expected", problems);
  report(expected, absent, "are missing", problems);
  return unexpected.length + absent.length === 0 ? rows : null;
}

function report(column: Column, rows: number[], fault: string, problems: Problems): void {
  if (rows.length === 0) return;
  const shown = rows.slice(0, EXAMPLES).map((row) => `"${cellText(column, row).slice(0, 60)}"`);
  const more = rows.length > shown.length ? ", …" : "";
  problems.add({
    code: "WRONG_IDS",
    column: column.name,
    message: `Of the images in "${column.name}", ${rows.length} ${fault}: ${shown.join(", ")}${more}.`,
  });
}
