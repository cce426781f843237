import { type ByteSource, bytesSource, fileSource } from "./byte-source.ts";
import { ColumnBuilder } from "./column-builder.ts";
import { columnNames } from "./csv-header.ts";
import { type CellSink, type ScanEnd, scanCsv } from "./csv-scanner.ts";
import { EMPTY_TABLE, makeTable, type TableOutcome, type TableProblem } from "./table.ts";
import { decodeUtf8 } from "./text-store.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const CELLS_PER_BLOCK = 2 ** 20;

export interface CsvLimits {
  fieldBytes: number;
  fileBytes: number;
}

export const DEFAULT_LIMITS: CsvLimits = { fieldBytes: 64 * 2 ** 20, fileBytes: 8 * 2 ** 30 };

export interface CsvOptions {
  /** Which of the file's columns to keep; all of them when left out. The rest is checked but not stored. */
  columns?: (header: readonly string[]) => Iterable<string>;
  limits?: CsvLimits;
}

/** Reads a CSV file by the rules of pandas' `read_csv`. Never throws on content: what is wrong comes back as a problem. */
export function readCsvFile(path: string, options: CsvOptions = {}): TableOutcome {
  let source: ByteSource;
  try {
    source = fileSource(path);
  } catch (error) {
    return failed("UNREADABLE", `The file cannot be read: ${(error as Error).message}.`);
  }
  try {
    return readCsv(source, options);
  } finally {
    source.close();
  }
}

export function readCsvBytes(content: Uint8Array, options: CsvOptions = {}): TableOutcome {
  return readCsv(bytesSource(content), options);
}

function readCsv(source: ByteSource, options: CsvOptions): TableOutcome {
  const limits = options.limits ?? DEFAULT_LIMITS;
  if (source.size > limits.fileBytes) {
    return failed("FILE_TOO_LARGE", `The file has ${source.size} bytes; the limit is ${limits.fileBytes}.`);
  }
  const header = readRow(source, hasByteOrderMark(source) ? BYTE_ORDER_MARK.length : 0, limits);
  if (!header.ok) return header;
  if (header.fields.length === 0) return { ok: true, table: EMPTY_TABLE };
  const names = columnNames(header.fields);
  const firstRow = readRow(source, header.next, limits);
  if (!firstRow.ok) return firstRow;
  const labels = Math.max(0, firstRow.fields.length - names.length);
  return readRows(source, { names, labels, start: header.next, limits, columns: options.columns });
}

interface Plan {
  names: string[];
  /** How many leading fields of each row are labels without a name in the header. */
  labels: number;
  start: number;
  limits: CsvLimits;
  columns: CsvOptions["columns"];
}

function readRows(source: ByteSource, plan: Plan): TableOutcome {
  const { names, labels, limits } = plan;
  const wanted = plan.columns ? new Set(plan.columns(names)) : new Set(names);
  const expect = expectation(source, plan.start);
  const sinks: (ColumnBuilder | undefined)[] = names.map((name) =>
    wanted.has(name) ? new ColumnBuilder(name, expect) : undefined,
  );
  sinks.unshift(
    ...Array.from({ length: labels }, (_, i) => (i === 0 ? new ColumnBuilder("", expect) : undefined)),
  );
  const width = sinks.length;
  while (sinks.length > 0 && sinks.at(-1) === undefined) sinks.pop();

  const blockRows = rowsPerBlock(width);
  let rowCount = 0;
  let blockStart = plan.start;
  const closeBlock = (nextOffset: number) => {
    const rows = rowCount % blockRows || (rowCount > 0 ? blockRows : 0);
    const again = sinks.map((sink) => (sink?.endBlock() === false ? sink : undefined));
    if (again.some(Boolean)) rereadAsText(source, again, blockStart, rows, width, limits);
    blockStart = nextOffset;
  };
  const end = scanCsv(source, {
    offset: plan.start,
    sinks,
    maxFields: width,
    maxFieldBytes: limits.fieldBytes,
    onRow: (_, nextOffset) => {
      rowCount++;
      if (rowCount % blockRows === 0) closeBlock(nextOffset);
      return true;
    },
  });
  if (end.reason !== "end") return scanFailed(end, width, limits);
  if (rowCount % blockRows !== 0) closeBlock(source.size);
  const columns = sinks.slice(labels).flatMap((sink) => sink?.finish() ?? []);
  return { ok: true, table: makeTable(names, rowCount, columns, labels > 0 ? sinks[0]!.finish() : null) };
}

/** Reads a block once more, for columns that looked like numbers until a cell proved them to be text. */
function rereadAsText(
  source: ByteSource,
  sinks: (ColumnBuilder | undefined)[],
  offset: number,
  rows: number,
  width: number,
  limits: CsvLimits,
): void {
  for (const sink of sinks) sink?.restartAsText();
  let left = rows;
  scanCsv(source, {
    offset,
    sinks,
    maxFields: width,
    maxFieldBytes: limits.fieldBytes,
    onRow: () => --left > 0,
  });
  for (const sink of sinks) sink?.endBlock();
}

type RowOutcome = { ok: true; fields: string[]; next: number } | { ok: false; problem: TableProblem };

function readRow(source: ByteSource, offset: number, limits: CsvLimits): RowOutcome {
  const fields: string[] = [];
  const collect: CellSink = {
    takesDecimals: false,
    pushDecimal: () => {},
    pushCell: (bytes, start, end) => fields.push(decodeUtf8(bytes, start, end)),
    pushMissing: () => {},
  };
  let next = source.size;
  const end = scanCsv(source, {
    offset,
    sinks: [],
    otherwise: collect,
    maxFields: Number.POSITIVE_INFINITY,
    maxFieldBytes: limits.fieldBytes,
    onRow: (_, nextOffset) => {
      next = nextOffset;
      return false;
    },
  });
  if (end.reason !== "end" && end.reason !== "stopped") return scanFailed(end, 0, limits);
  return { ok: true, fields, next };
}

function rowsPerBlock(width: number): number {
  const most = Math.floor(CELLS_PER_BLOCK / width);
  let rows = 1;
  while (rows * 2 < most) rows *= 2;
  return rows;
}

/** How much to allocate: guessed from the first rows, a little too much rather than growing by copies. */
function expectation(source: ByteSource, start: number): { rows: number; bytes: number } {
  const sample = source.window(start, 0);
  const bytes = source.size - start;
  if (sample === null || sample.length === 0) return { rows: 4, bytes };
  let lines = 1;
  for (let i = 0; i < sample.length; i++) if (sample.bytes[i] === 10) lines++;
  return { rows: Math.ceil((bytes / sample.length) * lines * 1.02) + 4, bytes };
}

function hasByteOrderMark(source: ByteSource): boolean {
  const start = source.window(0, 0);
  return start !== null && start.length >= 3 && BYTE_ORDER_MARK.every((byte, i) => start.bytes[i] === byte);
}

function scanFailed(end: ScanEnd, width: number, limits: CsvLimits): { ok: false; problem: TableProblem } {
  switch (end.reason) {
    case "not-utf8":
      return failed("NOT_UTF8", `The file is not UTF-8 (a bad byte lies at or behind offset ${end.offset}).`);
    case "open-quote":
      return failed(
        "OPEN_QUOTE",
        `A quoted field that starts in data row ${end.row + 1} is never closed.`,
        end.row + 1,
      );
    case "field-too-long":
      return failed(
        "FIELD_TOO_LONG",
        `A field in data row ${end.row + 1} is longer than ${limits.fieldBytes} bytes.`,
        end.row + 1,
      );
    case "too-many-fields":
      return failed(
        "RAGGED_ROW",
        `Data row ${end.row + 1} has ${end.fields} fields where ${width} are expected.`,
        end.row + 1,
      );
    default:
      throw new Error(`a scan that ended with ${end.reason} did not fail`);
  }
}

function failed(
  code: TableProblem["code"],
  message: string,
  row?: number,
): { ok: false; problem: TableProblem } {
  return { ok: false, problem: row === undefined ? { code, message } : { code, message, row } };
}
