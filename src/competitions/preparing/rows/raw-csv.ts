import fs from "node:fs";
import path from "node:path";
import type { Column } from "../../../table/columns/column.ts";
import {
  type ForcedKind,
  KindTracker,
  type PrintMode,
  printModes,
} from "../../../table/columns/column-kinds.ts";
import { fileSource } from "../../../table/csv/byte-source.ts";
import {
  type CsvLayout,
  csvLayout,
  readsAnewAt,
  rowsPerBlock,
  scanFailed,
} from "../../../table/csv/layout.ts";
import { readCsvFile } from "../../../table/csv/reader.ts";
import { scanCsv } from "../../../table/csv/scanner.ts";
import type { Table } from "../../../table/table.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { malformed, missingFile } from "../stop-preparing.ts";

/** Raw data may be far larger than any submission; only a single field is bounded. */
export const RAW_LIMITS = { fieldBytes: 512 * 2 ** 20, fileBytes: Number.POSITIVE_INFINITY };

/** How much is scanned before an interruption is looked for. */
export const SLICE_BYTES = 32 * 2 ** 20;

export interface RawCsvOptions {
  readonly separator?: "," | "\t" | ";";
  /** Columns whose type the original imposes, as with `dtype=`. */
  readonly kinds?: Readonly<Record<string, ForcedKind>>;
  /** Floats as pandas parses them by default: "Reader D" of the specifications. */
  readonly defaultFloats?: boolean;
}

/** A raw CSV file of which the types and the number of rows are known, but nothing is in memory. */
export interface RawCsv {
  readonly path: string;
  /** For messages. */
  readonly name: string;
  readonly header: readonly string[];
  readonly rowCount: number;
  readonly bytes: number;
  readonly layout: CsvLayout;
  readonly options: RawCsvOptions;
  /** How many rows pandas types together. */
  readonly blockRows: number;
  /** How the cells of each column print, one mode for each block of rows. */
  readonly modes: ReadonlyMap<string, readonly PrintMode[]>;
}

/** Scans a CSV file once, in bounded memory, for what pandas would make of its columns. */
export async function openRawCsv(
  preparation: Preparation,
  file: string,
  options: RawCsvOptions = {},
): Promise<RawCsv> {
  const name = displayName(preparation, file);
  if (!fs.existsSync(file)) missingFile(name);
  const source = fileSource(file);
  try {
    const separator = (options.separator ?? ",").charCodeAt(0);
    const layout = csvLayout(source, RAW_LIMITS, separator);
    if (!layout.ok) return malformed(name, `is not a table: ${layout.problem.message}`);
    const trackers = layout.names.map(
      (column) => new KindTracker(options.kinds?.[column], options.defaultFloats ?? false),
    );
    const width = layout.labels + trackers.length;
    const sinks = [...Array<undefined>(layout.labels), ...trackers];
    const blockRows = rowsPerBlock(width);
    let rowCount = 0;
    for (let offset = layout.start; offset < source.size; ) {
      const sliceEnd = offset + SLICE_BYTES;
      const rowsBefore = rowCount;
      const end = scanCsv(source, {
        offset,
        readsAnewAt: (row) => readsAnewAt(rowsBefore + row, blockRows),
        sinks,
        maxFields: width,
        maxFieldBytes: RAW_LIMITS.fieldBytes,
        separator,
        onRow: (_, next) => {
          offset = next;
          if (++rowCount % blockRows === 0) for (const tracker of trackers) tracker.endBlock();
          return next < sliceEnd;
        },
      });
      if (end.reason === "end") break;
      if (end.reason !== "stopped") {
        const { problem } = scanFailed(end, width, RAW_LIMITS);
        malformed(name, `is not a table: ${problem.message}`);
      }
      preparation.progress({ what: `reading ${name}`, done: offset, total: source.size, unit: "bytes" });
      await pause(preparation);
    }
    for (const tracker of trackers) tracker.endBlock();
    const modes = new Map(layout.names.map((column, i) => [column, printModes(trackers[i].blocks)]));
    const { names: header } = layout;
    return { path: file, name, header, rowCount, bytes: source.size, layout, options, blockRows, modes };
  } finally {
    source.close();
  }
}

/** The columns asked for, in memory. Missing ones end the preparation. */
export function readColumns(csv: RawCsv, names: readonly string[]): Column[] {
  const forced = Object.entries(csv.options.kinds ?? {});
  const outcome = readCsvFile(csv.path, {
    columns: () => names,
    limits: RAW_LIMITS,
    separator: csv.options.separator ?? ",",
    textColumns: forced.flatMap(([name, kind]) => (kind === "text" ? [name] : [])),
    defaultFloats: csv.options.defaultFloats ?? false,
  });
  if (!outcome.ok) return malformed(csv.name, `is not a table: ${outcome.problem.message}`);
  return names.map((name) => columnOf(csv.name, outcome.table, name));
}

function columnOf(file: string, table: Table, name: string): Column {
  return table.column(name) ?? malformed(file, `has no column ${name}; it has ${table.header.join(", ")}`);
}

/** The header without some columns, which must be there. */
export function headerWithout(csv: RawCsv, ...names: string[]): string[] {
  for (const name of names) requireColumn(csv, name);
  return csv.header.filter((name) => !names.includes(name));
}

export function requireColumn(csv: RawCsv, name: string): void {
  if (!csv.modes.has(name)) malformed(csv.name, `has no column ${name}; it has ${csv.header.join(", ")}`);
}

/** A path as the user knows it: relative to the raw folder, or to where nested archives were unpacked. */
function displayName(preparation: Preparation, file: string): string {
  for (const folder of [preparation.raw, preparation.scratch]) {
    const relative = path.relative(folder, file);
    if (!relative.startsWith("..")) return relative;
  }
  return file;
}
