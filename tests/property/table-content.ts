import { type Column, isMissing, kindAt } from "../../src/table/columns/column.ts";
import { textAt } from "../../src/table/columns/text-store.ts";
import type { Table, TableOutcome } from "../../src/table/table.ts";
import type { NaiveColumn } from "./naive-csv.ts";

/** Everything a table holds, cell by cell, in the form of the naive reader. */
export function tableContent(outcome: TableOutcome) {
  if (!outcome.ok) return { ok: false, code: outcome.problem.code };
  const { table } = outcome;
  return {
    ok: true,
    header: [...table.header],
    rowCount: table.rowCount,
    labels: table.rowLabels ? columnContent(table.rowLabels) : null,
    columns: table.header.map((name) => columnContent(table.column(name)!)),
  };
}

export function columnContent(column: Column): NaiveColumn {
  return { kind: column.kind, cells: Array.from({ length: column.length }, (_, row) => cell(column, row)) };
}

function cell(column: Column, row: number): NaiveColumn["cells"][number] {
  if (isMissing(column, row)) return null;
  switch (kindAt(column, row)) {
    case "text":
      return textAt(column.texts!, row);
    case "bool":
    case "bool+missing":
      return column.numbers[row] === 1;
    case "int":
      return column.wide?.[row] ?? BigInt(column.numbers[row]);
    case "uint":
      return column.wide ? BigInt.asUintN(64, column.wide[row]) : BigInt(column.numbers[row]);
    default:
      return column.numbers[row];
  }
}

/** A digest that is cheap for large tables: the arrays themselves instead of one value a cell. */
export function tableArrays(table: Table) {
  return table.header.map((name) => {
    const { kind, length, numbers, wide, texts, missing, blocks } = table.column(name)!;
    const used = texts ? Number(texts.ends[texts.length - 1] ?? 0) : 0;
    return {
      name,
      kind,
      length,
      blocks,
      numbers: bytesOf(numbers.slice(0, length)),
      wide: wide && bytesOf(wide.slice(0, length)),
      texts: texts && Buffer.from(texts.bytes.subarray(0, used)).toString("utf8"),
      ends: texts && [...texts.ends.subarray(0, texts.length)].join(" "),
      missing: missing && bytesOf(missing.slice(0, length)),
    };
  });
}

function bytesOf(array: Float64Array | BigInt64Array | Uint8Array): string {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("latin1");
}
