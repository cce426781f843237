import type { Column } from "../columns/column.ts";
import { appendBytes, emptyTextStore, textStart } from "../columns/text-store.ts";
import { makeTable, type Table } from "../table.ts";

/**
 * A table of the given rows, in that order, repeats allowed. The id column is replaced by 0, 1, 2, …: a row drawn
 * twice stands for two rows, which must not look like one id given twice.
 */
export function takeRows(table: Table, rows: Uint32Array, idColumn: string): Table {
  const columns = table.header.flatMap((name) => {
    const column = table.column(name);
    if (!column) return [];
    return name === idColumn ? freshIds(name, rows.length) : takeColumn(column, rows);
  });
  return makeTable(table.header, rows.length, columns, null);
}

function freshIds(name: string, length: number): Column {
  const numbers = Float64Array.from({ length }, (_, row) => row);
  return {
    name,
    kind: "int",
    length,
    numbers,
    onlyNumber: null,
    wide: null,
    texts: null,
    missing: null,
    missingCount: 0,
    blocks: [],
  };
}

function takeColumn(column: Column, rows: Uint32Array): Column {
  const { texts, missing } = column;
  const pick = <T extends Float64Array | Uint8Array | BigInt64Array>(from: T, to: T): T => {
    for (let i = 0; i < rows.length; i++) to[i] = from[rows[i]];
    return to;
  };
  const flags = missing && pick(missing, new Uint8Array(rows.length));
  const missingCount = flags ? flags.reduce((sum, flag) => sum + flag, 0) : 0;
  const taken = texts && emptyTextStore(rows.length * 16, rows.length);
  if (texts && taken)
    for (const row of rows) appendBytes(taken, texts.bytes, textStart(texts, row), texts.ends[row]);
  return {
    ...column,
    length: rows.length,
    numbers: column.numbers.length > 0 ? pick(column.numbers, new Float64Array(rows.length)) : column.numbers,
    wide: column.wide && pick(column.wide, new BigInt64Array(rows.length)),
    texts: taken,
    missing: missingCount > 0 ? flags : null,
    missingCount,
    blocks: [],
  };
}
