import { floatText } from "../python-text.ts";
import { type TextStore, textAt } from "./text-store.ts";

/**
 * What a column turned out to hold, as pandas decides it from all its cells:
 * - `int`, `uint`, `float`, `bool`: numbers (true is 1); a missing cell is NaN and makes integers `float`;
 * - `bool+missing`: true, false and missing, held as objects by pandas, so no grader treats it as numbers;
 * - `text`: exact texts, missing cells have no text at all;
 * - `mixed`: numbers in some blocks of rows, texts in others (only in files longer than one block);
 * - `none`: a table without rows.
 */
export type Kind = "int" | "uint" | "float" | "bool" | "bool+missing" | "text" | "mixed" | "none";

export interface Column {
  name: string;
  kind: Kind;
  length: number;
  /** One number a row; NaN where missing or where the row holds text. Empty for a pure text column. */
  numbers: Float64Array;
  /** The number that every row has, where they all have one; `numbers` is then made when it is first asked for. */
  onlyNumber: number | null;
  /** Exact integers, present only when one of them is beyond ±2^53. */
  wide: BigInt64Array | null;
  /** Texts of a `text` or `mixed` column, one a row (empty where missing or a number). */
  texts: TextStore | null;
  /** 1 where the cell is missing; null when none is. */
  missing: Uint8Array | null;
  missingCount: number;
  /** For a `mixed` column: the kind of each block of rows. */
  blocks: Block[];
}

/** Consecutive rows whose kind was decided together; `missing` when none of them holds a value. */
export interface Block {
  kind: Exclude<Kind, "mixed" | "none"> | "missing";
  start: number;
  end: number;
}

export type NumericColumn = Column & { kind: "int" | "uint" | "float" | "bool" };

/** Numbers a metric can use: integers, floats and booleans; not booleans with gaps, which pandas keeps as objects. */
export function isNumeric(column: Column): column is NumericColumn {
  return column.kind === "int" || column.kind === "uint" || column.kind === "float" || column.kind === "bool";
}

export function isMissing(column: Column, row: number): boolean {
  return column.missing !== null && column.missing[row] === 1;
}

/** The kind of the block a row lies in: the column's own kind unless it is mixed. */
export function kindAt(column: Column, row: number): Kind {
  if (column.kind !== "mixed") return column.kind;
  const { kind } = column.blocks.find((block) => row < block.end)!;
  return kind === "missing" ? "float" : kind;
}

/** Whether the cell is a text (and not missing, a number or a boolean). */
export function isText(column: Column, row: number): boolean {
  return kindAt(column, row) === "text" && !isMissing(column, row);
}

/**
 * The cell as Python's `str` prints it: digits of an integer, shortest float with a point, True/False, the exact
 * text; a missing cell is `nan`.
 */
export function cellText(column: Column, row: number): string {
  if (isMissing(column, row)) return "nan";
  const kind = kindAt(column, row);
  switch (kind) {
    case "text":
      return textAt(column.texts!, row);
    case "bool":
    case "bool+missing":
      return column.numbers[row] === 1 ? "True" : "False";
    case "int":
    case "uint":
      return integerText(column, row);
    default:
      return floatText(column.numbers[row]);
  }
}

function integerText(column: Column, row: number): string {
  if (column.wide === null) return String(column.numbers[row]);
  const value = column.wide[row];
  return String(column.kind === "uint" ? BigInt.asUintN(64, value) : value);
}
