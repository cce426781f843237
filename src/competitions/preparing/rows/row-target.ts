import path from "node:path";
import type { CellPrinter, RowText } from "../../../table/cells/cell-printer.ts";
import { createChunkedFile } from "../../../table/csv/chunked-file.ts";
import { type CsvStyle, csvField, csvQuoted, csvRow } from "../../../table/csv/writer.ts";
import type { Preparation } from "../../preparer.ts";
import { createGatheredFile } from "../files/gathered-file.ts";
import type { RawCsv } from "./raw-csv.ts";
import type { RowOrder, RowPlaces } from "./row-order.ts";

const LINE_FEED = 10;
/** A call into the runtime costs more than a loop up to here, and leaves garbage. */
const LOOPED_BYTES = 256;

/**
 * A column of an output: a column of the source by its name, the same under another name, a constant, or a cell made for each row. Constants and
 * made cells are given as printed (`0`, `0.5`, `False`, an empty text); quotes are added where the style wants them,
 * which for `nonnumeric` is everything not marked `numeric`.
 */
export type OutputColumn =
  | string
  | { readonly name: string; readonly from: string }
  | { readonly name: string; readonly value: string; readonly numeric?: boolean }
  | { readonly name: string; readonly cell: MadeCell; readonly numeric?: boolean };

/** `row` counts in the source, `position` in the output, both from 0. */
export type MadeCell = (row: number, position: number) => string;

export interface RowOutput {
  readonly path: string;
  /** Rows of the source in the order of the output, none twice; all of them, in order, when left out. */
  readonly rows?: Uint32Array | RowOrder;
  readonly columns: readonly OutputColumn[];
}

/** An order during one pass over its source. */
export interface OpenOrder {
  readonly count: number;
  readonly ascending: boolean;
  readonly places: RowPlaces;
}

/** The source column an output column shows, or null when it is made. */
export function sourceColumn(column: OutputColumn): string | null {
  if (typeof column === "string") return column;
  return "from" in column ? column.from : null;
}

/** One output while the source passes by. */
export interface RowTarget {
  /** Takes the row if it belongs here. */
  take(sourceRow: number, row: RowText, printers: readonly CellPrinter[]): void;
  /** Completes the file, a part at each step. */
  finish(): Generator<void>;
  /** Lets go of open files, complete or not. Harmless when repeated. */
  close(): void;
}

/** A part of an output row: neighbouring printed columns copied at once, or a cell of its own. */
type Part = { readonly first: number; readonly last: number } | { readonly cell: MadeCell };

export function openRowTarget(
  preparation: Preparation,
  csv: RawCsv,
  output: RowOutput,
  order: OpenOrder | null,
  printed: readonly string[],
  style: CsvStyle,
): RowTarget {
  const separator = style.separator ?? ",";
  const quote = style.quoting === "nonnumeric" ? csvQuoted : (text: string) => csvField(text, separator);
  const names = output.columns.map((column) => (typeof column === "string" ? column : column.name));
  const header = Buffer.from(csvRow(names.map(quote), separator));
  const parts = partsOf(output.columns, printed, quote);
  const lone = output.columns.length === 1;
  const line: RowText = { bytes: new Uint8Array(4096), used: 0 };
  const assemble = (sourceRow: number, position: number, row: RowText, printers: readonly CellPrinter[]) => {
    line.used = 0;
    for (const part of parts) {
      if ("cell" in part) appendText(line, part.cell(sourceRow, position));
      else appendBytes(line, row.bytes, printers[part.first].start, printers[part.last].end);
      line.bytes[line.used++] = separator.charCodeAt(0);
    }
    if (lone && line.used === 1) {
      line.used = 0;
      appendText(line, '"" ');
    }
    line.bytes[line.used - 1] = LINE_FEED;
  };

  if (order === null || order.ascending) {
    const file = createChunkedFile(output.path);
    file.writeBytes(header);
    let position = 0;
    return {
      take(sourceRow, row, printers) {
        if (order !== null && order.places.of(sourceRow) === -1) return;
        assemble(sourceRow, position++, row, printers);
        file.writeBytes(line.bytes.subarray(0, line.used));
      },
      *finish() {},
      close: () => file.close(),
    };
  }
  const { places, count } = order;
  const expected = csv.bytes * (count / csv.rowCount);
  const spill = path.join(preparation.scratch, `${path.basename(output.path)}.${Math.random()}.rows`);
  const file = createGatheredFile(output.path, header, count, expected, spill);
  const whole = parts.length === 1 && !lone && "first" in parts[0] ? parts[0] : null;
  return {
    take(sourceRow, row, printers) {
      const position = places.of(sourceRow);
      if (position === -1) return;
      if (whole !== null) {
        const { end } = printers[whole.last];
        row.bytes[end] = LINE_FEED;
        file.put(position, row.bytes, printers[whole.first].start, end + 1);
        row.bytes[end] = separator.charCodeAt(0);
        return;
      }
      assemble(sourceRow, position, row, printers);
      file.put(position, line.bytes, 0, line.used);
    },
    finish: () => file.finish(),
    close: () => file.close(),
  };
}

function partsOf(
  columns: readonly OutputColumn[],
  printed: readonly string[],
  quote: (text: string) => string,
): Part[] {
  const parts: Part[] = [];
  for (const column of columns) {
    const source = sourceColumn(column);
    if (source !== null) {
      const at = printed.indexOf(source);
      const before = parts.at(-1);
      if (before && "last" in before && before.last === at - 1)
        parts[parts.length - 1] = { ...before, last: at };
      else parts.push({ first: at, last: at });
    } else if (typeof column !== "string" && "value" in column) {
      const text = column.numeric ? column.value : quote(column.value);
      parts.push({ cell: () => text });
    } else if (typeof column !== "string" && "cell" in column) {
      const { cell, numeric } = column;
      parts.push({ cell: numeric ? cell : (row, position) => quote(cell(row, position)) });
    }
  }
  return parts;
}

function appendBytes(line: RowText, bytes: Uint8Array, start: number, end: number): void {
  makeRoom(line, end - start);
  if (end - start > LOOPED_BYTES) line.bytes.set(bytes.subarray(start, end), line.used);
  else for (let from = start, to = line.used; from < end; from++, to++) line.bytes[to] = bytes[from];
  line.used += end - start;
}

function appendText(line: RowText, text: string): void {
  makeRoom(line, text.length * 3);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) {
      line.used += Buffer.from(line.bytes.buffer).write(text.slice(i), line.used);
      return;
    }
    line.bytes[line.used++] = unit;
  }
}

/** Leaves room for the separator too. */
function makeRoom(line: RowText, needed: number): void {
  if (line.used + needed + 1 < line.bytes.length) return;
  const larger = new Uint8Array((line.used + needed) * 2 + 2);
  larger.set(line.bytes.subarray(0, line.used));
  line.bytes = larger;
}
