import { decodeUtf8 } from "../columns/text-store.ts";
import type { TableProblem } from "../table.ts";
import type { ByteSource } from "./byte-source.ts";
import { type CellSink, type ScanEnd, scanCsv } from "./scanner.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const LINE_FEED = 10;
const CELLS_PER_BLOCK = 2 ** 20;

export interface CsvLimits {
  fieldBytes: number;
  fileBytes: number;
  /** Far more than any table has; a row of commas alone would make millions of them. */
  columns?: number;
}

const MAX_COLUMNS = 100_000;
/** Fields of the first row that have no name: only counted, so that more of them may be let through. */
const MAX_LABELS = 1_000_000;

export const DEFAULT_LIMITS: CsvLimits = { fieldBytes: 64 * 2 ** 20, fileBytes: 8 * 2 ** 30 };

/** What the first rows of a CSV file tell about the rest. */
export interface CsvLayout {
  ok: true;
  /** Empty for a file without any line. */
  names: string[];
  /** How many leading fields of each row are labels without a name in the header. */
  labels: number;
  /** Where the data rows start. */
  start: number;
}

/** Reads the header, and the first data row to see whether it is longer: pandas then takes its first fields as row labels. */
export function csvLayout(
  source: ByteSource,
  limits: CsvLimits,
  separator: number,
): CsvLayout | { ok: false; problem: TableProblem } {
  if (source.size > limits.fileBytes) {
    return csvFailed(
      "FILE_TOO_LARGE",
      `The file has ${source.size} bytes; the limit is ${limits.fileBytes}.`,
    );
  }
  const first = hasByteOrderMark(source) ? BYTE_ORDER_MARK.length : 0;
  const header = readRow(source, "header", first, limits, separator);
  if (!header.ok) return header;
  if (header.blankBehindReturn)
    return scanFailed({ reason: "blank-behind-return", row: 0 }, 0, limits, "header");
  const names = columnNames(header.fields);
  const firstRow = readRow(source, "data", header.next, limits, separator);
  if (!firstRow.ok) return firstRow;
  // Sent back by the blank, pandas reads the header once more, as the first row of data.
  if (firstRow.blankBehindReturn) return { ok: true, names, labels: 0, start: first };
  return { ok: true, names, labels: Math.max(0, firstRow.fields.length - names.length), start: header.next };
}

/** Where pandas starts to read anew: it looks at one row of data for the layout, then types block by block. */
export function readsAnewAt(row: number, blockRows: number): boolean {
  return row === 1 || (row > 0 && row % blockRows === 0);
}

/** How many rows pandas types at a time: a power of two that depends on the number of columns. */
export function rowsPerBlock(width: number): number {
  const most = Math.floor(CELLS_PER_BLOCK / width);
  let rows = 1;
  while (rows * 2 < most) rows *= 2;
  return rows;
}

/** A scan that did not reach the end of the file, in words for its author. */
export function scanFailed(
  end: ScanEnd,
  width: number,
  limits: CsvLimits,
  part: "header" | "data" = "data",
): { ok: false; problem: TableProblem } {
  const row = "row" in end && part === "data" ? end.row + 1 : undefined;
  const where = row === undefined ? "the header" : `data row ${row}`;
  switch (end.reason) {
    case "not-utf8":
      return csvFailed(
        "NOT_UTF8",
        `The file is not UTF-8 (a bad byte lies at or behind offset ${end.offset}).`,
      );
    case "open-quote":
      return csvFailed("OPEN_QUOTE", `A quoted field that starts in ${where} is never closed.`, row);
    case "field-too-long":
      return csvFailed(
        "FIELD_TOO_LONG",
        `A field in ${where} is longer than ${limits.fieldBytes} bytes.`,
        row,
      );
    case "blank-behind-return":
      return csvFailed(
        "BLANK_BEHIND_RETURN",
        `The line of ${where} begins with a blank, behind a carriage return without a line feed, which pandas cannot read.`,
        row,
      );
    case "too-many-fields":
      return csvFailed(
        "RAGGED_ROW",
        `Data row ${row} has ${end.fields} fields where ${width} are expected.`,
        row,
      );
    default:
      throw new Error(`a scan that ended with ${end.reason} did not fail`);
  }
}

export function csvFailed(
  code: TableProblem["code"],
  message: string,
  row?: number,
): { ok: false; problem: TableProblem } {
  return { ok: false, problem: row === undefined ? { code, message } : { code, message, row } };
}

type RowOutcome =
  | { ok: true; fields: string[]; next: number; blankBehindReturn: boolean }
  | { ok: false; problem: TableProblem };

function readRow(
  source: ByteSource,
  part: "header" | "data",
  offset: number,
  limits: CsvLimits,
  separator: number,
): RowOutcome {
  const fields: string[] = [];
  const maxFields = part === "header" ? (limits.columns ?? MAX_COLUMNS) : MAX_LABELS;
  const collect: CellSink = {
    takesDecimals: false,
    pushDecimal: () => {},
    // Those beyond the limit are counted by the scan and not kept: there may be millions.
    pushCell: (bytes, start, end) => {
      if (fields.length < maxFields) fields.push(decodeUtf8(bytes, start, end));
    },
    pushMissing: () => {},
  };
  let next = source.size;
  let blankBehindReturn = false;
  const end = scanCsv(source, {
    offset,
    // Only of the first row of data, and there it does not end in a refusal.
    before: part === "data" ? byteBefore(source, offset) : LINE_FEED,
    readsAnewAt: () => {
      blankBehindReturn = true;
      return true;
    },
    sinks: [],
    otherwise: collect,
    maxFields,
    maxFieldBytes: limits.fieldBytes,
    separator,
    onRow: (_, nextOffset) => {
      next = nextOffset;
      return false;
    },
  });
  if (end.reason === "too-many-fields") return tooManyColumns(maxFields, part);
  if (end.reason !== "end" && end.reason !== "stopped") return scanFailed(end, 0, limits, part);
  return { ok: true, fields, next, blankBehindReturn };
}

function byteBefore(source: ByteSource, offset: number): number {
  const window = source.window(offset - 1, 1);
  return window === null || window.length === 0 ? LINE_FEED : window.bytes[0];
}

function tooManyColumns(columns: number, part: "header" | "data"): RowOutcome {
  const where = part === "header" ? "The header" : "Data row 1";
  return csvFailed(
    "TOO_MANY_COLUMNS",
    `${where} has more than ${columns} columns.`,
    part === "header" ? undefined : 1,
  );
}

function hasByteOrderMark(source: ByteSource): boolean {
  const start = source.window(0, 0);
  return start !== null && start.length >= 3 && BYTE_ORDER_MARK.every((byte, i) => start.bytes[i] === byte);
}

/**
 * Column names as pandas gives them: an empty one becomes `Unnamed: <position>`, a repeated one gets the first free
 * suffix `.1`, `.2`, … Named columns choose first, so that a real `Unnamed: 0` keeps its name.
 */
function columnNames(fields: readonly string[]): string[] {
  const names = fields.map((field, position) => (field === "" ? `Unnamed: ${position}` : field));
  const positions = [...fields.keys()];
  const order = [
    ...positions.filter((position) => fields[position] !== ""),
    ...positions.filter((position) => fields[position] === ""),
  ];
  const taken = new Set(names);
  const counts = new Map<string, number>();
  for (const position of order) {
    const original = names[position];
    let name = original;
    let count = counts.get(name) ?? 0;
    while (count > 0) {
      counts.set(original, count + 1);
      name = `${original}.${count}`;
      count = taken.has(name) ? count + 1 : (counts.get(name) ?? 0);
    }
    if (name !== original) {
      names[position] = name;
      taken.add(name);
    }
    counts.set(name, count + 1);
  }
  return names;
}
