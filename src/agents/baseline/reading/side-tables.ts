import fs from "node:fs";
import path from "node:path";
import { sampleRank } from "../../sample/find-sample.ts";
import type { TableColumn } from "../features/column-describers.ts";
import { areNumbers, type Cells, cellsFrom, numberCells, pickCells } from "./cells.ts";
import { readTable, tableFacts } from "./table-file.ts";
import { columnOf, type TextTable } from "./text-table.ts";

/** A table beside train and test, with a column that names what their rows are about. */
export interface SideTable {
  readonly name: string;
  readonly table: TextTable;
  readonly key: string;
}

const MAX_BYTES = 2 ** 26;
const MAX_TABLES = 8;
const MIN_MATCHED = 0.5;
const LOOKED_AT = 2000;

/** Public tables that share a column with both train and test, whose values they mostly know. */
export function findSideTables(data: string, train: TextTable, test: TextTable): SideTable[] {
  const names = fs
    .readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".csv"))
    .map(({ name }) => name)
    .filter((name) => name !== "train.csv" && name !== "test.csv" && sampleRank(name) === null)
    .sort();
  return names.slice(0, MAX_TABLES).flatMap((name): SideTable[] => {
    const file = path.join(data, name);
    const facts = fs.statSync(file).size > MAX_BYTES ? null : tableFacts(file);
    if (facts === null) return [];
    const shared = facts.header.filter(
      (column) => train.header.includes(column) && test.header.includes(column),
    );
    const table = facts.header.length < 2 || shared.length === 0 ? null : readTable(facts);
    if (table === null) return [];
    const matches = shared
      .map((key) => ({ key, share: Math.min(matched(table, train, key), matched(table, test, key)) }))
      .sort((a, b) => b.share - a.share);
    const [{ key, share }] = matches;
    return share < MIN_MATCHED ? [] : [{ name: path.parse(name).name, table, key }];
  });
}

/**
 * The columns of a side table for the rows asked for. A key with one row brings that row's cells; a key with many, how
 * many there are and the mean of each column of numbers.
 */
export function joinSideTable(
  { name, table, key }: SideTable,
  keys: Readonly<Record<"train" | "test", Cells>>,
): TableColumn[] {
  const rowsOf = new Map<string, number[]>();
  for (const [row, value] of [...columnOrNothing(table, key)].entries()) {
    if (value === "") continue;
    const own = rowsOf.get(value);
    if (own) own.push(row);
    else rowsOf.set(value, [row]);
  }
  const others = table.header.filter((column) => column !== key);
  if ([...rowsOf.values()].every((rows) => rows.length === 1)) {
    const places = (cells: Cells) => Int32Array.from(cells, (value) => rowsOf.get(value)?.[0] ?? -1);
    const [train, test] = [places(keys.train), places(keys.test)];
    return others.map((column) => {
      const cells = columnOrNothing(table, column);
      return { name: `${name}.${column}`, train: pickCells(cells, train), test: pickCells(cells, test) };
    });
  }
  const spread = (column: string, value: (rows: readonly number[]) => number): TableColumn => {
    const known = new Map([...rowsOf].map(([own, rows]) => [own, value(rows)]));
    const numbers = (cells: Cells) =>
      numberCells(Float64Array.from(cells, (own) => known.get(own) ?? Number.NaN));
    return { name: `${name}.${column}`, train: numbers(keys.train), test: numbers(keys.test) };
  };
  return [
    spread("count", (rows) => rows.length),
    ...others.flatMap((column) => {
      const cells = columnOrNothing(table, column);
      return areNumbers(cells) ? [spread(column, (rows) => meanOf(cells.numbers, rows))] : [];
    }),
  ];
}

function columnOrNothing(table: TextTable, name: string): Cells {
  return columnOf(table, name) ?? cellsFrom(table.rows, () => "");
}

function meanOf(numbers: ArrayLike<number>, rows: readonly number[]): number {
  const known = rows.map((row) => numbers[row]).filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The share of the first rows whose key the side table knows. */
function matched(side: TextTable, table: TextTable, key: string): number {
  const known = new Set(columnOrNothing(side, key));
  const cells = columnOrNothing(table, key);
  const count = Math.min(LOOKED_AT, cells.length);
  let found = 0;
  for (let row = 0; row < count; row++) {
    const value = cells.at(row) ?? "";
    if (value !== "" && known.has(value)) found++;
  }
  return found / Math.max(1, count);
}
