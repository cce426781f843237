import { CellPrinter, type RowText } from "../../../table/cells/cell-printer.ts";
import type { CsvStyle } from "../../../table/csv/writer.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { type RawCsv, requireColumn } from "./raw-csv.ts";
import { type RowOrder, rowOrder } from "./row-order.ts";
import { type OpenOrder, openRowTarget, type RowOutput, type RowTarget, sourceColumn } from "./row-target.ts";
import { scanRows } from "./scan-rows.ts";

/**
 * Writes rows of a raw CSV file as pandas would after reading them, to any number of files, in one more pass over the source. Works for any
 * size: rows that change their order go through buckets on disk.
 */
export async function writeRows(
  preparation: Preparation,
  csv: RawCsv,
  outputs: readonly RowOutput[],
  style: CsvStyle = {},
): Promise<void> {
  const row: RowText = { bytes: new Uint8Array(4096), used: 0 };
  const printed = printedColumns(csv, outputs);
  const printers = printed.map(
    () => new CellPrinter(row, { style, defaultFloats: csv.options.defaultFloats ?? false }),
  );
  const orders = openOrders(csv, outputs);
  const targets: RowTarget[] = [];
  try {
    for (const output of outputs) {
      const order = output.rows === undefined ? null : orders.get(output.rows)!;
      targets.push(openRowTarget(preparation, csv, output, order, printed, style));
    }
    await scanRows(preparation, csv, `splitting ${csv.name}`, printed, printers, (sourceRow) => {
      for (let i = 0; i < targets.length; i++) targets[i].take(sourceRow, row, printers);
      row.used = 0;
    });
    for (const target of targets) {
      for (const _ of target.finish()) await pause(preparation);
    }
  } finally {
    for (const target of targets) target.close();
    for (const { places } of orders.values()) places.close();
  }
}

/** Outputs with the same rows share one order. */
function openOrders(csv: RawCsv, outputs: readonly RowOutput[]): Map<Uint32Array | RowOrder, OpenOrder> {
  const orders = new Map<Uint32Array | RowOrder, OpenOrder>();
  for (const { rows } of outputs) {
    if (rows === undefined || orders.has(rows)) continue;
    const order = rows instanceof Uint32Array ? rowOrder(rows, csv.rowCount) : rows;
    orders.set(rows, { count: order.count, ascending: order.ascending, places: order.open() });
  }
  return orders;
}

/** The source columns that any output needs, in the order of the source. */
function printedColumns(csv: RawCsv, outputs: readonly RowOutput[]): string[] {
  const wanted = new Set<string>();
  for (const { columns } of outputs) {
    for (const column of columns) {
      const source = sourceColumn(column);
      if (source === null) continue;
      requireColumn(csv, source);
      wanted.add(source);
    }
  }
  return csv.header.filter((name) => wanted.has(name));
}
