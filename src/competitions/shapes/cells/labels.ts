import type { Column } from "../../../table/columns/column.ts";
import type { Problem, Problems } from "../../problems.ts";
import { requireNoneMissing, requireNumeric } from "./numbers.ts";

const MANY = 1000;
const INT64_LIMIT = 2 ** 63;

/**
 * Labels that an accuracy can compare: whole numbers, true/false, or texts, and no gaps. Texts are legal even where
 * the truth is numbers; they are merely wrong.
 */
export function requireLabels(column: Column, problems: Problems): boolean {
  return column.kind === "text"
    ? requireNoneMissing(column, problems)
    : requireWholeNumbers(column, problems);
}

/** Class numbers: integers, true/false, or floats without a fraction (`3.0`); no range is imposed on them. */
export function requireWholeNumbers(column: Column, problems: Problems): boolean {
  if (column.kind === "none") return true;
  if (column.kind === "bool+missing") return requireNoneMissing(column, problems);
  if (!requireNumeric(column, problems)) return false;
  if (column.kind !== "float") return true;
  const before = problems.count;
  const { numbers } = column;
  for (let row = 0; row < numbers.length && problems.count - before < MANY; row++) {
    const value = numbers[row];
    const isLabel = Number.isInteger(value) && value >= -INT64_LIMIT && value < INT64_LIMIT;
    if (!isLabel) problems.add(notWhole(column.name, row, value));
  }
  return problems.count === before;
}

function notWhole(column: string, row: number, value: number): Problem {
  const where = { column, row: row + 1 };
  const cell = `Row ${row + 1} of "${column}"`;
  if (Number.isNaN(value)) return { ...where, code: "MISSING_VALUE", message: `${cell} is empty.` };
  if (!Number.isFinite(value)) return { ...where, code: "NOT_FINITE", message: `${cell} is infinite.` };
  if (Number.isInteger(value))
    return { ...where, code: "OUT_OF_RANGE", message: `${cell} is ${value}; no label is that large.` };
  return {
    ...where,
    code: "WRONG_KIND",
    message: `${cell} is ${value}; labels must be whole numbers, not probabilities or averages.`,
  };
}
