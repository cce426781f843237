import { fileSource } from "../../table/byte-source.ts";
import { CellPrinter, type RowText } from "../../table/cell-printer.ts";
import { scanCsv } from "../../table/csv-scanner.ts";
import type { CsvStyle } from "../../table/csv-writer.ts";
import type { Preparation } from "../preparer.ts";
import { pause } from "./pause.ts";
import { RAW_LIMITS, type RawCsv, requireColumn, SLICE_BYTES } from "./raw-csv.ts";
import { type RowOrder, rowOrder } from "./row-order.ts";
import { openRowTarget, type RowOutput, type RowTarget, sourceColumn } from "./row-target.ts";

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
  const orders = new Map<Uint32Array | undefined, RowOrder | null>();
  for (const { rows } of outputs) {
    if (!orders.has(rows)) orders.set(rows, rows === undefined ? null : rowOrder(rows, csv.rowCount));
  }
  const targets = outputs.map((output) =>
    openRowTarget(preparation, csv, output, orders.get(output.rows)!, printed, style),
  );
  try {
    await scanSource(preparation, csv, printed, printers, row, targets);
    for (const target of targets) {
      for (const _ of target.finish()) await pause(preparation);
    }
  } finally {
    for (const target of targets) target.close();
  }
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

async function scanSource(
  preparation: Preparation,
  csv: RawCsv,
  printed: readonly string[],
  printers: readonly CellPrinter[],
  row: RowText,
  targets: readonly RowTarget[],
): Promise<void> {
  const { layout, blockRows } = csv;
  const sinks = [
    ...Array<undefined>(layout.labels),
    ...csv.header.map((name) => printers[printed.indexOf(name)] as CellPrinter | undefined),
  ];
  const modes = printed.map((name) => csv.modes.get(name)!);
  const startBlock = (block: number) => {
    for (const [i, printer] of printers.entries()) printer.mode = modes[i][block] ?? "text";
  };
  startBlock(0);
  let sourceRow = 0;
  const source = fileSource(csv.path);
  try {
    for (let offset = layout.start; offset < source.size; ) {
      const sliceEnd = offset + SLICE_BYTES;
      const end = scanCsv(source, {
        offset,
        sinks,
        maxFields: sinks.length,
        maxFieldBytes: RAW_LIMITS.fieldBytes,
        separator: (csv.options.separator ?? ",").charCodeAt(0),
        onRow: (_, next) => {
          offset = next;
          for (let i = 0; i < targets.length; i++) targets[i].take(sourceRow, row, printers);
          row.used = 0;
          if (++sourceRow % blockRows === 0) startBlock(sourceRow / blockRows);
          return next < sliceEnd;
        },
      });
      if (end.reason === "end") break;
      if (end.reason !== "stopped") throw new Error(`${csv.path} changed while it was being read`);
      preparation.progress({ what: `splitting ${csv.name}`, done: offset, total: source.size });
      await pause(preparation);
    }
  } finally {
    source.close();
  }
}
