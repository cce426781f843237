import { ColumnBuilder, type Expectation } from "../columns/column-builder.ts";
import { EMPTY_TABLE, makeTable, type TableOutcome } from "../table.ts";
import { type ByteSource, bytesSource, fileSource, WINDOW, type WindowBuffer } from "./byte-source.ts";
import {
  type CsvLimits,
  csvFailed,
  csvLayout,
  DEFAULT_LIMITS,
  readsAnewAt,
  rowsPerBlock,
  scanFailed,
} from "./layout.ts";
import { openPlainRows, type PlainRows } from "./plain-rows.ts";
import { type ScanEnd, type ScanPlan, scanCsv } from "./scanner.ts";

/** Shorter files are read before anything else has begun. */
const WORTHWHILE = 2 ** 13;
const SAMPLE_BYTES = 2 ** 17;
const FEW_COLUMNS = 8;
const MAX_EXPECTED_CELLS = 2 ** 26;

export interface CsvOptions {
  /** Which of the file's columns to keep; all of them when left out. The rest is checked but not stored. */
  columns?: (header: readonly string[]) => Iterable<string>;
  limits?: CsvLimits;
  separator?: "," | "\t" | ";";
  /** Columns to keep as text whatever they look like. */
  textColumns?: readonly string[];
  /** Parse floats as pandas does by default, not always to the nearest double. */
  defaultFloats?: boolean;
}

/** Reads a CSV file by the rules of pandas' `read_csv`. Never throws on content: what is wrong comes back as a problem. */
export function readCsvFile(path: string, options: CsvOptions = {}): TableOutcome {
  const plain = plainRows(options);
  try {
    const source = fileSource(path, plain.buffer);
    try {
      return readCsv(source, plain, options);
    } finally {
      source.close();
    }
  } catch (error) {
    if (!("syscall" in (error as Error))) throw error;
    return csvFailed("UNREADABLE", `The file cannot be read: ${(error as Error).message}.`);
  } finally {
    plain.close();
  }
}

export function readCsvBytes(content: Uint8Array, options: CsvOptions = {}): TableOutcome {
  const plain = plainRows(options);
  try {
    return readCsv(bytesSource(content, plain.buffer), plain, options);
  } finally {
    plain.close();
  }
}

interface LazyPlainRows {
  buffer: WindowBuffer | undefined;
  /** Null where rows are not to be taken in this way. */
  open(): PlainRows | null;
  close(): void;
}

/** Only files of some length are worth opening it. */
function plainRows({ separator = ",", defaultFloats = false, limits }: CsvOptions): LazyPlainRows {
  // Cells are not measured there: none may be longer than the limit.
  const isAllowed = separator === "," && !defaultFloats && (limits ?? DEFAULT_LIMITS).fieldBytes >= WINDOW;
  let opened: PlainRows | null = null;
  const open = () => {
    opened ??= openPlainRows();
    return opened;
  };
  return {
    buffer: isAllowed ? () => open().buffer : undefined,
    open: () => (isAllowed ? open() : null),
    close: () => opened?.close(),
  };
}

function readCsv(source: ByteSource, plain: LazyPlainRows, options: CsvOptions): TableOutcome {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const separator = (options.separator ?? ",").charCodeAt(0);
  const layout = csvLayout(source, limits, separator);
  if (!layout.ok) return layout;
  if (layout.names.length === 0) return { ok: true, table: EMPTY_TABLE };
  const rows = source.size - layout.start >= WORTHWHILE ? plain.open() : null;
  return readRows(source, { ...layout, limits, separator, options, plain: rows });
}

interface Plan {
  names: string[];
  /** How many leading fields of each row are labels without a name in the header. */
  labels: number;
  start: number;
  limits: CsvLimits;
  separator: number;
  options: CsvOptions;
  plain: PlainRows | null;
}

function readRows(source: ByteSource, plan: Plan): TableOutcome {
  const { names, labels, limits, separator, options } = plan;
  const wanted = options.columns ? new Set(options.columns(names)) : new Set(names);
  const texts = new Set(options.textColumns);
  const defaultFloats = options.defaultFloats ?? false;
  const expect = expectation(source, plan.start, Math.min(wanted.size, names.length));
  const sinks: (ColumnBuilder | undefined)[] = [
    ...Array.from({ length: labels }, (_, i) => (i === 0 ? new ColumnBuilder("", expect) : undefined)),
    ...names.map((name) =>
      wanted.has(name)
        ? new ColumnBuilder(name, expect, { text: texts.has(name), defaultFloats })
        : undefined,
    ),
  ];
  const width = sinks.length;
  while (sinks.length > 0 && sinks.at(-1) === undefined) sinks.pop();

  const blockRows = rowsPerBlock(width);
  let rowCount = 0;
  let blockStart = plan.start;
  let offset = plan.start;
  const unsettled = () => sinks.map((sink) => (sink?.endBlock() === false ? sink : undefined));
  let again: (ColumnBuilder | undefined)[] = [];
  const builders = sinks.flatMap((sink) => sink ?? []);
  const positions = Array.from({ length: width }, (_, i) => sinks[i]);
  const { plain } = plan;
  const takeRows: ScanPlan["takeRows"] = (window, cursor) => {
    // The last row of a block is left to the scan, so that blocks end in one place.
    const stop = plain!.take(window, cursor, positions, blockRows - 1 - (rowCount & (blockRows - 1)));
    rowCount = builders[0].length;
    return stop;
  };
  const mayTakeRows = plain?.fits(width) && builders.length > 0;
  let end: ScanEnd;
  do {
    const rowsBefore = rowCount;
    end = scanCsv(source, {
      offset,
      sinks,
      maxFields: width,
      maxFieldBytes: limits.fieldBytes,
      separator,
      ...(mayTakeRows ? { takeRows } : {}),
      readsAnewAt: (row) => readsAnewAt(rowsBefore + row, blockRows),
      onRow: (_, nextOffset) => {
        rowCount++;
        offset = nextOffset;
        // A power of two: the remainder without a division, which would cost as much as reading a cell.
        if ((rowCount & (blockRows - 1)) !== 0) return true;
        again = unsettled();
        if (again.some(Boolean)) return false;
        blockStart = nextOffset;
        return true;
      },
    });
    if ("row" in end) end.row += rowsBefore;
    // Only between two scans: reading a block again moves the window the scan is looking through.
    if (end.reason === "stopped") {
      rereadAsText(source, again, blockStart, blockRows, width, plan);
      blockStart = offset;
    }
  } while (end.reason === "stopped");
  if (end.reason !== "end") return scanFailed(end, width, limits);
  if (rowCount % blockRows !== 0) {
    again = unsettled();
    if (again.some(Boolean)) rereadAsText(source, again, blockStart, rowCount % blockRows, width, plan);
  }
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
  plan: Plan,
): void {
  for (const sink of sinks) sink?.restartAsText();
  let left = rows;
  scanCsv(source, {
    offset,
    sinks,
    maxFields: width,
    maxFieldBytes: plan.limits.fieldBytes,
    separator: plan.separator,
    onRow: () => --left > 0,
  });
  for (const sink of sinks) sink?.endBlock();
}

/** How much to allocate: guessed from the first rows, a little too much rather than growing by copies. */
function expectation(source: ByteSource, start: number, columns: number): Expectation {
  const sample = source.window(start, SAMPLE_BYTES);
  const size = source.size - start;
  // Two or three columns may each hold most of the file's bytes; a thousand cannot.
  const bytes = columns <= FEW_COLUMNS ? size : Math.ceil(size / columns);
  if (sample === null || sample.length === 0) return { rows: 4, bytes };
  let lines = 1;
  for (let i = 0; i < sample.length; i++) if (sample.bytes[i] === 10) lines++;
  // A file that starts with a million empty lines must not make us allocate for billions of rows.
  const most = MAX_EXPECTED_CELLS / Math.max(1, columns);
  return { rows: Math.ceil(Math.min((size / sample.length) * lines * 1.02, most)) + 4, bytes };
}
