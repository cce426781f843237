import { dayNumber } from "../reading/calendar.ts";
import { areCoded, areNumbers, type Cells, everyCell, numbersOf } from "../reading/cells.ts";
import { columnOf, type TextTable } from "../reading/text-table.ts";
import type { Separation } from "../solvers/rows-problem.ts";
import type { SeparatedBy, TaskOfRows } from "../task.ts";

const DATE = /^\d{4}-\d{2}-\d{2}/;
const MIN_GROUPS = 5;
const MIN_MOMENTS = 20;
const ROW_NUMBER = /^(unnamed.*|index|row|no|nr|.*id)$/i;

/**
 * What parts the test from the training rows: a column that repeats its values and shares none of them with the test
 * (or that the test lacks) holds groups; one whose values all lie later in the test, time. Else it was chance.
 */
export function findSeparation(
  train: TextTable,
  test: TextTable | null,
  used: ReadonlySet<string>,
): SeparatedBy {
  const others = train.header.filter((name) => !used.has(name));
  for (const column of others) {
    const [own, asked] = [columnOf(train, column), test && columnOf(test, column)];
    if (own && asked && isLater(column, own, asked)) return { by: "time", column };
  }
  for (const column of others) {
    const own = columnOf(train, column);
    const asked = test && columnOf(test, column);
    if (own && isGrouped(own, asked)) return { by: "groups", column };
  }
  return { by: "chance" };
}

/** The same for the rows that are learned from. */
export function separationOf(
  { separation }: TaskOfRows,
  train: TextTable,
  rows: readonly number[],
): Separation {
  if (separation.by === "chance") return separation;
  const cells = columnOf(train, separation.column) ?? [];
  if (separation.by === "time") return { by: "time", times: momentsOf(cells, rows) };
  const codes = new Map<string, number>();
  const groups = Int32Array.from(rows, (row) => {
    const group = cells.at(row) ?? "";
    const code = codes.get(group) ?? codes.size;
    codes.set(group, code);
    return code;
  });
  return { by: "groups", groups };
}

/** Rows without a moment count as the earliest. */
function momentsOf(cells: Cells, rows: readonly number[]): Float64Array {
  const moment = momentReader(cells);
  return Float64Array.from(rows, (row) => {
    const value = moment(row);
    return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
  });
}

function momentReader(cells: Cells): (row: number) => number {
  if (areNumbers(cells)) return (row) => cells.numbers[row];
  const isDate = everyCell(cells, (cell) => cell === "" || DATE.test(cell));
  if (isDate) return (row) => Date.parse(cells.at(row) ?? "") || dayNumber(cells.at(row) ?? "");
  const numbers = numbersOf(cells);
  return (row) => numbers[row];
}

function isLater(name: string, train: Cells, test: Cells): boolean {
  const areTimes =
    [train, test].every(areNumbers) && !ROW_NUMBER.test(name)
      ? true
      : [train, test].every((cells) => !areNumbers(cells) && everyCell(cells, (cell) => DATE.test(cell)));
  if (!areTimes || test.length === 0) return false;
  const [before, after] = [momentReader(train), momentReader(test)];
  let last = Number.NEGATIVE_INFINITY;
  const moments = new Set<number>();
  for (let row = 0; row < train.length; row++) {
    const moment = before(row);
    if (Number.isNaN(moment)) return false;
    last = Math.max(last, moment);
    if (moments.size < MIN_MOMENTS) moments.add(moment);
  }
  if (moments.size < MIN_MOMENTS) return false;
  for (let row = 0; row < test.length; row++) if (!(after(row) >= last)) return false;
  return true;
}

function isGrouped(train: Cells, test: Cells | null): boolean {
  const own = fewValues(train);
  if (own === null || own.size < MIN_GROUPS) return false;
  if (test === null) return true;
  const asked = fewValues(test);
  if (asked === null) return false;
  for (const value of asked) if (own.has(value)) return false;
  return true;
}

/** The different values of a column that repeats them; null if most occur once. */
function fewValues(cells: Cells): Set<string | number> | null {
  const values: Iterable<string | number> = areNumbers(cells)
    ? cells.numbers
    : areCoded(cells)
      ? cells.words
      : cells;
  const found = new Set<string | number>();
  for (const value of values) if (found.add(value).size > cells.length / 2) return null;
  return found;
}
