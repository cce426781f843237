import { parseRunBytes, type RunError, type Runs } from "../../../metrics/pictures/run-length.ts";
import { type Column, isMissing } from "../../../table/columns/column.ts";
import { textStart } from "../../../table/columns/text-store.ts";
import type { Problem, Problems } from "../../problems.ts";
import { requireTexts } from "../cells/texts.ts";

const EMPTY_MASK: Runs = { starts: [], ends: [], pixels: 0 };

export interface MaskOptions {
  /** The number of pixels of a row's image. 0 checks the text alone: which runs overlap depends on where the image ends. */
  sizeOf(row: number): number;
  /** A text of ASCII characters that stands for the empty mask, besides a blank one. */
  emptyText?: string | undefined;
  /** Looks at the first rows only. */
  rows?: number;
}

/** The run-length mask of one cell of a column that holds texts only. A missing cell is an empty mask. */
export function maskAt(column: Column, row: number, { sizeOf, emptyText }: MaskOptions): Runs | RunError {
  if (isMissing(column, row)) return EMPTY_MASK;
  const { bytes, ends } = column.texts!;
  const start = textStart(column.texts!, row);
  const end = ends[row];
  const isEmpty = end === start || (emptyText !== undefined && isSame(bytes, start, end, emptyText));
  return isEmpty ? EMPTY_MASK : parseRunBytes(bytes, start, end, sizeOf(row));
}

/** Whether a range of bytes is the given ASCII text. */
function isSame(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Whether every cell is a mask. */
export function requireMasks(column: Column, options: MaskOptions, problems: Problems): boolean {
  return visitMasks(column, options, problems, () => {});
}

/** The masks of a column, one a row; null when one of them cannot be read. */
export function readMasks(column: Column, options: MaskOptions, problems: Problems): Runs[] | null {
  const masks: Runs[] = [];
  return visitMasks(column, options, problems, (mask) => masks.push(mask)) ? masks : null;
}

function visitMasks(
  column: Column,
  options: MaskOptions,
  problems: Problems,
  visit: (mask: Runs) => void,
): boolean {
  const { rows = column.length } = options;
  if (!requireTexts(column, problems, rows)) return false;
  const before = problems.count;
  for (let row = 0; row < rows; row++) {
    const mask = maskAt(column, row, options);
    if ("error" in mask) problems.add(badMask(column.name, row, mask));
    else visit(mask);
  }
  return problems.count === before;
}

function badMask(column: string, row: number, error: RunError): Problem {
  return {
    code: "BAD_FORMAT",
    column,
    row: row + 1,
    message: `Row ${row + 1} of "${column}" is not a run-length mask: ${runFault(error)}.`,
  };
}

function runFault({ error, token }: RunError): string {
  const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
  switch (error) {
    case "not-an-integer":
      return `"${shown}" is not a whole number`;
    case "odd-count":
      return `the last start, ${shown}, has no length`;
    case "start-not-positive":
      return `the start ${shown} is not positive (pixels count from 1)`;
    case "length-not-positive":
      return `the length ${shown} is not positive`;
    case "unsorted":
      return `the start ${shown} comes after a larger one`;
    case "overlap":
      return `the run that starts at ${shown} overlaps the one before it`;
  }
}
