import { type TextStore, textAt } from "../../../table/columns/text-store.ts";

/** The cells of a column as texts, an empty one where there is none. An array of strings will do for a small table. */
export interface Cells {
  readonly length: number;
  at(row: number): string | undefined;
  [Symbol.iterator](): Iterator<string>;
}

/** Numbers alone, NaN where there is none: eight bytes a cell, or four where no digit is lost. */
export interface NumberCells extends Cells {
  readonly numbers: Float64Array | Float32Array;
}

/** Few different texts: four bytes a cell. */
export interface CodedCells extends Cells {
  readonly codes: Int32Array;
  readonly words: readonly string[];
}

export function areNumbers(cells: Cells): cells is NumberCells {
  return "numbers" in cells;
}

export function areCoded(cells: Cells): cells is CodedCells {
  return "codes" in cells;
}

export function numberCells(numbers: Float64Array | Float32Array): NumberCells {
  return { numbers, ...cellsFrom(numbers.length, (row) => numberCell(numbers[row])) };
}

export function codedCells(codes: Int32Array, words: readonly string[]): CodedCells {
  return { codes, words, ...cellsFrom(codes.length, (row) => words[codes[row]]) };
}

export function storedCells(store: TextStore): Cells {
  return cellsFrom(store.length, (row) => textAt(store, row));
}

/** Cells that are made when they are asked for: a million strings take more memory than what they are made from. */
export function cellsFrom(length: number, cell: (row: number) => string): Cells {
  return {
    length,
    at: (row) => (row >= 0 && row < length ? cell(row) : undefined),
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row++) yield cell(row);
    },
  };
}

/** The cells of these rows, in this order; a row below 0 is an empty cell. */
export function pickCells(cells: Cells, rows: ArrayLike<number>): Cells {
  const { length } = rows;
  if (areNumbers(cells)) {
    const picked =
      cells.numbers instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
    for (let i = 0; i < length; i++) picked[i] = rows[i] < 0 ? Number.NaN : cells.numbers[rows[i]];
    return numberCells(picked);
  }
  if (areCoded(cells)) {
    const nothing = cells.words.length;
    const codes = Int32Array.from({ length }, (_, i) => (rows[i] < 0 ? nothing : cells.codes[rows[i]]));
    return codedCells(codes, codes.includes(nothing) ? [...cells.words, ""] : cells.words);
  }
  return cellsFrom(length, (i) => cells.at(rows[i] < 0 ? cells.length : rows[i]) ?? "");
}

/** Each text that occurs, once, in order of first appearance for coded cells and arrays. */
export function distinctCells(cells: Cells): Iterable<string> {
  return areCoded(cells) ? cells.words : new Set(cells);
}

/** A finite number, or NaN: an empty cell is none, although `Number("")` is 0. */
export function toNumber(cell: string): number {
  const text = cell.trim();
  const value = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

/** One number a row. */
export function numbersOf(cells: Cells): Float64Array | Float32Array {
  return areNumbers(cells) ? cells.numbers : Float64Array.from(cells, toNumber);
}

/** Whether all cells that are not empty are numbers, and there is one. */
export function isNumberColumn(cells: Cells): boolean {
  if (areNumbers(cells)) return cells.numbers.some((value) => !Number.isNaN(value));
  let seen = false;
  for (const cell of areCoded(cells) ? cells.words : cells) {
    if (cell === "") continue;
    if (Number.isNaN(toNumber(cell))) return false;
    seen = true;
  }
  return seen;
}

export function everyCell(cells: Cells, holds: (cell: string) => boolean): boolean {
  if (areNumbers(cells) && cells.length > 0 && !holds(cells.at(0) ?? "")) return false;
  for (const cell of areCoded(cells) ? cells.words : cells) if (!holds(cell)) return false;
  return true;
}

export function numberCell(value: number): string {
  return Number.isNaN(value) ? "" : String(value);
}
