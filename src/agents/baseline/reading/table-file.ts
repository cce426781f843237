import fs from "node:fs";
import { type ByteSource, fileSource } from "../../../table/csv/byte-source.ts";
import { csvLayout, DEFAULT_LIMITS } from "../../../table/csv/layout.ts";
import { scanCsv } from "../../../table/csv/scanner.ts";
import { CellCollector, type RowGate } from "./cell-collector.ts";
import type { TextTable } from "./text-table.ts";

/** What a table's size and first rows tell, before it is read. */
export interface TableFacts {
  readonly file: string;
  readonly header: readonly string[];
  /** Lines of the part that is looked at; a cell with a line break makes it a little too large. */
  readonly rows: number;
  /** Bytes of a row in columns that hold long texts. */
  readonly textBytes: number;
}

export interface ReadOptions {
  /** Keep about so many rows, evenly spread. */
  readonly rows?: number;
  /** Columns to read; all if left out. */
  readonly columns?: readonly string[];
  /** Columns to keep as they are written, also where they look like numbers. */
  readonly asTexts?: ReadonlySet<string>;
  /** Stop behind so many bytes. */
  readonly mostBytes?: number;
}

const COMMA = 44;
const LINE_FEED = 10;
const PIECE = 2 ** 20;
const SNIFFED_ROWS = 200;
const LONG_TEXT = 30;
const LIMITS = { ...DEFAULT_LIMITS, fileBytes: Number.POSITIVE_INFINITY };

/** Null for a file that is not a table. */
export function tableFacts(file: string, mostBytes = Number.POSITIVE_INFINITY): TableFacts | null {
  return withSource(file, (source) => {
    const layout = csvLayout(source, LIMITS, COMMA);
    if (!layout.ok || layout.labels > 0 || layout.names.length === 0) return null;
    const lengths = new Float64Array(layout.names.length);
    let sniffed = 0;
    scanCsv(source, {
      offset: layout.start,
      sinks: layout.names.map((_, column) => lengthSink(lengths, column)),
      maxFields: layout.names.length,
      maxFieldBytes: LIMITS.fieldBytes,
      onRow: () => ++sniffed < SNIFFED_ROWS,
    });
    const means = lengths.map((length) => length / Math.max(1, sniffed));
    return {
      file,
      header: layout.names,
      rows: countLines(file, layout.start, mostBytes),
      textBytes: means.filter((mean) => mean > LONG_TEXT).reduce((sum, mean) => sum + mean, 0),
    };
  });
}

/** Reads the file once, row by row; null for what is not a table. */
export function readTable(facts: TableFacts, options: ReadOptions = {}): TextTable | null {
  return withSource(facts.file, (source) => {
    const layout = csvLayout(source, LIMITS, COMMA);
    if (!layout.ok) return null;
    const wanted = Math.min(facts.rows, Math.max(1, Math.floor(options.rows ?? facts.rows)));
    const isKept = (row: number) =>
      wanted === facts.rows ||
      Math.floor(((row + 1) * wanted) / facts.rows) > Math.floor((row * wanted) / facts.rows);
    const gate: RowGate = { isOpen: isKept(0) };
    const header = options.columns ?? facts.header;
    const collectors = header.map(
      (name) => new CellCollector(gate, wanted, options.asTexts?.has(name) ?? false),
    );
    let row = 0;
    let kept = 0;
    const end = scanCsv(source, {
      offset: layout.start,
      sinks: layout.names.map((name) => collectors[header.indexOf(name)]),
      maxFields: layout.names.length,
      maxFieldBytes: LIMITS.fieldBytes,
      onRow: (_, offset) => {
        if (gate.isOpen) kept++;
        gate.isOpen = isKept(++row);
        return offset < (options.mostBytes ?? Number.POSITIVE_INFINITY);
      },
    });
    if (end.reason !== "end" && end.reason !== "stopped") return null;
    return { header, rows: kept, columns: collectors.map((collector) => collector.finish()) };
  });
}

function withSource<T>(file: string, use: (source: ByteSource) => T | null): T | null {
  let source: ByteSource;
  try {
    source = fileSource(file);
  } catch {
    return null;
  }
  try {
    return use(source);
  } finally {
    source.close();
  }
}

function lengthSink(lengths: Float64Array, column: number) {
  return {
    takesDecimals: false,
    pushDecimal: () => {},
    pushMissing: () => {},
    pushCell: (_: Uint8Array, start: number, end: number) => {
      lengths[column] += end - start;
    },
  };
}

function countLines(file: string, start: number, mostBytes: number): number {
  const descriptor = fs.openSync(file, "r");
  const piece = Buffer.allocUnsafe(PIECE);
  let lines = 0;
  let last = LINE_FEED;
  try {
    for (let at = start; at < mostBytes; ) {
      const length = fs.readSync(descriptor, piece, 0, PIECE, at);
      if (length === 0) break;
      for (let i = 0; i < length; i++) if (piece[i] === LINE_FEED) lines++;
      last = piece[length - 1];
      at += length;
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return lines + (last === LINE_FEED ? 0 : 1);
}
