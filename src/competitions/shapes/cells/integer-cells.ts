import { type Column, cellText, isMissing, kindAt } from "../../../table/columns/column.ts";
import { textAt } from "../../../table/columns/text-store.ts";
import { parsePythonInt } from "../../../table/python-text.ts";
import type { Problem, Problems } from "../../problems.ts";
import { exactLabels, spreadWide, wideAt } from "./exact-labels.ts";

const MANY = 1000;
const INT64_MIN = -(2n ** 63n);
const INT64_END = 2n ** 63n;
const UINT64_END = 2n ** 64n;

/** The integer a cell stands for, or null when it is none. Not called for missing cells. */
export type CellToInteger = (column: Column, row: number) => number | bigint | null;

/** Python's `int` of a cell: fractions are cut off towards zero (5.9 is 5), texts follow Python's integer syntax. */
export function truncatedInteger(column: Column, row: number): number | bigint | null {
  const kind = kindAt(column, row);
  if (kind === "text") return parsePythonInt(textAt(column.texts!, row));
  if (kind !== "float") return integerAt(column, row);
  const value = Math.trunc(column.numbers[row]);
  if (!Number.isFinite(value)) return null;
  return Number.isSafeInteger(value) ? value : BigInt(value);
}

/** The value of a cell in a block of integers or booleans. */
export function integerAt(column: Column, row: number): number | bigint {
  return column.wide === null ? column.numbers[row] : wideAt(column, row);
}

/**
 * Labels converted cell by cell, comparable with each other and with small true labels; null when there are
 * problems. They must fit 64 bits with a sign, unless every one of them lies in the upper half of the unsigned
 * range: numpy then takes them all as unsigned, and all are wrong.
 */
export function integerLabels(
  column: Column,
  toInteger: CellToInteger,
  problems: Problems,
): Float64Array | null {
  if (column.kind === "int" || column.kind === "bool") return exactLabels(column);
  const before = problems.count;
  const labels = new Float64Array(column.length);
  const wide = new Map<number, bigint>();
  let unsignedCount = 0;
  let firstUnsigned = 0;
  for (let row = 0; row < column.length && problems.count - before < MANY; row++) {
    const value = isMissing(column, row) ? null : toInteger(column, row);
    if (value === null) problems.add(noInteger(column, row));
    else if (Number.isSafeInteger(Number(value))) labels[row] = Number(value);
    else if (value < INT64_MIN || value >= UINT64_END) problems.add(tooLarge(column, row));
    else {
      wide.set(row, BigInt(value));
      if (value >= INT64_END && unsignedCount++ === 0) firstUnsigned = row;
    }
  }
  if (unsignedCount > 0 && unsignedCount < column.length) problems.add(tooLarge(column, firstUnsigned));
  return problems.count === before ? spreadWide(labels, wide) : null;
}

function noInteger(column: Column, row: number): Problem {
  const where = { column: column.name, row: row + 1 };
  const cell = `Row ${row + 1} of "${column.name}"`;
  if (isMissing(column, row)) return { ...where, code: "MISSING_VALUE", message: `${cell} is empty.` };
  return {
    ...where,
    code: "WRONG_KIND",
    message: `${cell} is "${cellText(column, row).slice(0, 60)}", which is not a whole number.`,
  };
}

function tooLarge(column: Column, row: number): Problem {
  return {
    code: "OUT_OF_RANGE",
    column: column.name,
    row: row + 1,
    message: `Row ${row + 1} of "${column.name}" is too large for a label.`,
  };
}
