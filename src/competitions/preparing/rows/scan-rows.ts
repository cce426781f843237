import { CellPrinter, type RowText } from "../../../table/cells/cell-printer.ts";
import { decodeUtf8 } from "../../../table/columns/text-store.ts";
import { fileSource } from "../../../table/csv/byte-source.ts";
import { scanCsv } from "../../../table/csv/scanner.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { RAW_LIMITS, type RawCsv, requireColumn, SLICE_BYTES } from "./raw-csv.ts";

/** A pass over a raw CSV file: after each row, the printers hold where its cells lie. `columns` are in the order of the file. */
export async function scanRows(
  preparation: Preparation,
  csv: RawCsv,
  what: string,
  columns: readonly string[],
  printers: readonly CellPrinter[],
  onRow: (row: number) => void,
): Promise<void> {
  const { layout, blockRows } = csv;
  const sinks = [
    ...Array<undefined>(layout.labels),
    ...csv.header.map((name) => printers[columns.indexOf(name)] as CellPrinter | undefined),
  ];
  const modes = columns.map((name) => csv.modes.get(name)!);
  const startBlock = (block: number) => {
    for (const [i, printer] of printers.entries()) printer.mode = modes[i][block] ?? "text";
  };
  startBlock(0);
  let row = 0;
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
          onRow(row);
          if (++row % blockRows === 0) startBlock(row / blockRows);
          return next < sliceEnd;
        },
      });
      if (end.reason === "end") break;
      if (end.reason !== "stopped") throw new Error(`${csv.path} changed while it was being read`);
      preparation.progress({ what, done: offset, total: source.size, unit: "bytes" });
      await pause(preparation);
    }
  } finally {
    source.close();
  }
}

/**
 * Hands some columns of every row to `visit`, as pandas would print them but without quotes; a missing cell is null. For tables of which not
 * even one column fits into memory; where it does, `readColumns` is simpler. The list is reused from row to row.
 */
export async function visitRows(
  preparation: Preparation,
  csv: RawCsv,
  names: readonly string[],
  visit: (cells: readonly (string | null)[], row: number) => void,
): Promise<void> {
  for (const name of names) requireColumn(csv, name);
  const columns = csv.header.filter((name) => names.includes(name));
  const text: RowText = { bytes: new Uint8Array(4096), used: 0 };
  const rules = { style: {}, defaultFloats: csv.options.defaultFloats ?? false, bare: true };
  const printers = columns.map(() => new CellPrinter(text, rules));
  const ordered = names.map((name) => printers[columns.indexOf(name)]);
  const cells: (string | null)[] = names.map(() => null);
  await scanRows(preparation, csv, `reading ${csv.name}`, columns, printers, (row) => {
    for (let i = 0; i < ordered.length; i++) {
      const { missing, start, end } = ordered[i];
      cells[i] = missing ? null : decodeUtf8(text.bytes, start, end);
    }
    text.used = 0;
    visit(cells, row);
  });
}
