import type { DenseMatrix } from "../../../learning/matrix.ts";
import { calendarDay, DATE, dayNumber } from "../reading/calendar.ts";
import {
  areCoded,
  areNumbers,
  type Cells,
  distinctCells,
  everyCell,
  isNumberColumn,
  numbersOf,
} from "../reading/cells.ts";

/** A column of the tables: its cells in the training rows and in the rows asked for. */
export interface TableColumn {
  readonly name: string;
  readonly train: Cells;
  readonly test: Cells;
}

export type Part = "train" | "test";

/** Writes numbers about rows `from` to `to` of a part into `values`: row after row, `stride` numbers apart. */
export interface Describer {
  readonly width: number;
  write(part: Part, from: number, to: number, values: Float64Array, stride: number, offset: number): void;
}

export interface CodedColumn {
  readonly name: string;
  readonly codes: Readonly<Record<Part, Int32Array>>;
  readonly counts: Float64Array;
}

export type ColumnKind = "constant" | "numbers" | "dates" | "texts" | "categories";

const TEXT_LENGTH = 30;
const TEXT_SHARE = 0.5;

/** What a column is taken for, from what its cells look like. */
export function columnKind({ train, test }: TableColumn): ColumnKind {
  const parts = [train, test].filter(({ length }) => length > 0);
  if (parts.every(isConstant) && new Set(parts.map((cells) => cells.at(0))).size < 2) return "constant";
  const told = parts.filter((cells) => !everyCell(cells, (cell) => cell === ""));
  if (told.every(isNumberColumn)) return "numbers";
  if (told.every((cells) => everyCell(cells, (cell) => cell === "" || DATE.test(cell)))) return "dates";
  const rows = train.length + test.length;
  const isText = countDistinct(parts) > TEXT_SHARE * rows || meanLength(parts, rows) > TEXT_LENGTH;
  return isText ? "texts" : "categories";
}

export function numberDescriber({ train, test }: TableColumn): Describer {
  const numbers = { train: numbersOf(train), test: numbersOf(test) };
  return {
    width: 1,
    write(part, from, to, values, stride, offset) {
      const own = numbers[part];
      for (let row = from, at = offset; row < to; row++, at += stride) values[at] = own[row];
    },
  };
}

/** A date as numbers for trees; NaN where there is none. */
export function dateDescriber(column: TableColumn): Describer {
  return {
    width: 6,
    write(part, from, to, values, stride, offset) {
      for (let row = from, at = offset; row < to; row++, at += stride) {
        const day = dayNumber(column[part].at(row) ?? "");
        if (Number.isNaN(day)) {
          values.fill(Number.NaN, at, at + 6);
          continue;
        }
        const { year, month, dayOfMonth, weekday, dayOfYear } = calendarDay(day);
        values.set([day, year, month, dayOfMonth, weekday, dayOfYear], at);
      }
    },
  };
}

const SHAPES = [/\p{Lu}/gu, /\d/g, /[!?]/g, /\s+/g, /[^\p{L}\p{N}\s]/gu, /[$€£%]/g];

/** How a text looks, whatever it says. */
export function textShapeDescriber(column: TableColumn): Describer {
  return {
    width: SHAPES.length + 1,
    write(part, from, to, values, stride, offset) {
      for (let row = from, at = offset; row < to; row++, at += stride) {
        const cell = column[part].at(row) ?? "";
        values[at] = cell.length;
        for (const [i, pattern] of SHAPES.entries())
          values[at + i + 1] = (cell.match(pattern)?.length ?? 0) / Math.max(1, cell.length);
      }
    },
  };
}

/** Numbers that were made elsewhere. */
export function matrixDescriber(matrices: Readonly<Record<Part, DenseMatrix>>): Describer {
  const width = matrices.train.columns;
  return {
    width,
    write(part, from, to, values, stride, offset) {
      const own = matrices[part].values;
      for (let row = from, at = offset; row < to; row++, at += stride)
        values.set(own.subarray(row * width, (row + 1) * width), at);
    },
  };
}

/** How frequent a category is. */
export function frequencyDescriber({ codes, counts }: CodedColumn): Describer {
  return {
    width: 1,
    write(part, from, to, values, stride, offset) {
      for (let row = from, at = offset; row < to; row++, at += stride) values[at] = counts[codes[part][row]];
    },
  };
}

/** Codes in order of first appearance, the same for train and test. */
export function encodeColumn({ name, train, test }: TableColumn): CodedColumn {
  const known = new Map<string, number>();
  const codeOf = (text: string) => {
    const code = known.get(text) ?? known.size;
    known.set(text, code);
    return code;
  };
  const encode = (cells: Cells): Int32Array => {
    if (!areCoded(cells)) return Int32Array.from(cells, codeOf);
    const codes = cells.words.map(codeOf);
    return cells.codes.map((code) => codes[code]);
  };
  const codes = { train: encode(train), test: encode(test) };
  const counts = new Float64Array(known.size);
  for (const own of [codes.train, codes.test]) for (const code of own) counts[code]++;
  return { name, codes, counts };
}

function isConstant(cells: Cells): boolean {
  if (areCoded(cells)) return cells.words.length < 2;
  const first = cells.at(0);
  for (let row = 1; row < cells.length; row++) if (cells.at(row) !== first) return false;
  return true;
}

/** Cells that are neither coded nor few are too many to be counted one by one. */
function countDistinct(parts: readonly Cells[]): number {
  const all = new Set<string>();
  for (const cells of parts) {
    if (!areCoded(cells) && !areNumbers(cells) && !Array.isArray(cells)) return Number.POSITIVE_INFINITY;
    for (const cell of distinctCells(cells)) all.add(cell);
  }
  return all.size;
}

function meanLength(parts: readonly Cells[], rows: number): number {
  let sum = 0;
  for (const cells of parts) for (const cell of cells) sum += cell.length;
  return sum / Math.max(1, rows);
}
