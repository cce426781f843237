import { floatCell } from "../../../table/cells/cell-text.ts";
import {
  type Column,
  cellText,
  isMissing,
  isNumeric,
  isText,
  kindAt,
} from "../../../table/columns/column.ts";
import { textAt } from "../../../table/columns/text-store.ts";
import { parsePythonFloat } from "../../../table/python-text.ts";
import type { Problems } from "../../problems.ts";

/**
 * Numbers or booleans without text. One odd cell makes a text of its whole column, so the cells named are those that
 * are not numbers themselves.
 */
export function requireNumeric(column: Column, problems: Problems): boolean {
  if (isNumeric(column)) return true;
  const before = problems.count;
  for (let row = 0; row < column.length; row++) {
    if (!isText(column, row) || floatCell(textAt(column.texts!, row)) !== null) continue;
    problems.add({
      code: "NOT_A_NUMBER",
      column: column.name,
      row: row + 1,
      message: `Column "${column.name}" must be numeric; row ${row + 1} holds "${cellText(column, row).slice(0, 60)}".`,
    });
  }
  if (problems.count === before)
    problems.add({
      code: "NOT_A_NUMBER",
      column: column.name,
      message: `Column "${column.name}" is not numeric.`,
    });
  return false;
}

/** Every value present, and none below `low` or above `high`. */
export function requireRange(column: Column, low: number, high: number, problems: Problems): boolean {
  const present = requireNoneMissing(column, problems);
  return requireWithin(column, low, high, problems) && present;
}

/** Like `requireRange`, but a missing value is not a problem. */
export function requireWithin(column: Column, low: number, high: number, problems: Problems): boolean {
  const before = problems.count;
  const { numbers } = column;
  for (let row = 0; row < numbers.length; row++) {
    if (numbers[row] < low || numbers[row] > high) {
      problems.add({
        code: "OUT_OF_RANGE",
        column: column.name,
        row: row + 1,
        message: `Row ${row + 1} of "${column.name}" is ${numbers[row]}; it must lie between ${low} and ${high}.`,
      });
    }
  }
  return problems.count === before;
}

export function requireNoneMissing(column: Column, problems: Problems): boolean {
  if (column.missingCount === 0) return true;
  for (let row = 0; row < column.length; row++) {
    if (isMissing(column, row))
      problems.add({
        code: "MISSING_VALUE",
        column: column.name,
        row: row + 1,
        message: `Row ${row + 1} of "${column.name}" is empty.`,
      });
  }
  return false;
}

export function requireFinite(column: Column, problems: Problems): boolean {
  const before = problems.count;
  requireNoneMissing(column, problems);
  const { numbers } = column;
  for (let row = 0; row < numbers.length; row++) {
    if (Math.abs(numbers[row]) === Number.POSITIVE_INFINITY) {
      problems.add({
        code: "NOT_FINITE",
        column: column.name,
        row: row + 1,
        message: `Row ${row + 1} of "${column.name}" is infinite.`,
      });
    }
  }
  return problems.count === before;
}

/**
 * The finite numbers a regression metric or an AUC takes: numeric columns as they are, cells of a text column one by
 * one by Python's `float`, so that `1_0` is 10. `rows` limits the check to the rows that are scored. Null: problems.
 */
export function finiteNumbers(column: Column, problems: Problems, rows?: Uint32Array): Float64Array | null {
  const before = problems.count;
  const numbers = isNumeric(column) ? column.numbers : convertCells(column);
  const count = rows ? rows.length : column.length;
  for (let i = 0; i < count; i++) {
    const row = rows ? rows[i] : i;
    if (Number.isFinite(numbers[row])) continue;
    problems.add(unusable(column, row, numbers[row]));
  }
  return problems.count === before ? numbers : null;
}

function convertCells(column: Column): Float64Array {
  const numbers = new Float64Array(column.length);
  for (let row = 0; row < column.length; row++) {
    if (isMissing(column, row)) numbers[row] = Number.NaN;
    else if (kindAt(column, row) === "text")
      numbers[row] = parsePythonFloat(textAt(column.texts!, row)) ?? Number.NaN;
    else numbers[row] = column.numbers[row];
  }
  return numbers;
}

function unusable(column: Column, row: number, value: number) {
  const where = { column: column.name, row: row + 1 };
  if (isMissing(column, row))
    return {
      ...where,
      code: "MISSING_VALUE" as const,
      message: `Row ${row + 1} of "${column.name}" is empty.`,
    };
  if (Number.isNaN(value)) {
    return {
      ...where,
      code: "NOT_A_NUMBER" as const,
      message: `Row ${row + 1} of "${column.name}" is "${cellText(column, row).slice(0, 60)}", which is not a number.`,
    };
  }
  return {
    ...where,
    code: "NOT_FINITE" as const,
    message: `Row ${row + 1} of "${column.name}" is infinite.`,
  };
}
