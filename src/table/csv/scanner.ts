import { scanDecimal, scanned } from "../cells/decimal.ts";
import type { ByteSource, Window } from "./byte-source.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const COMMA = 44;
const SPACE = 32;
const TAB = 9;
/** How often rows of a window are taken by other means, before the rest of it is read cell by cell. */
const MAX_REFUSALS = 8;

/** Takes the cells of one column. */
export interface CellSink {
  readonly takesDecimals: boolean;
  pushDecimal(value: number, integer: boolean): void;
  pushCell(bytes: Uint8Array, start: number, end: number): void;
  pushMissing(): void;
}

export interface ScanPlan {
  /** Where a row starts in the source. */
  offset: number;
  /** The byte before it; a line feed when left out. */
  before?: number;
  /** The sink of each field position. */
  sinks: (CellSink | undefined)[];
  /** The sink of all other positions, which are skipped when there is none. */
  otherwise?: CellSink;
  /** Most fields a row may have; shorter rows are padded with missing cells. */
  maxFields: number;
  maxFieldBytes: number;
  /** The byte between fields; a comma unless told otherwise. */
  separator?: number;
  /**
   * Whether pandas starts to read anew at a row of this scan. Everywhere else a row that begins with a blank, behind a
   * lone carriage return, sends it back to where it started, for ever, until it notices and refuses the file. Left
   * out, such rows are read like others. Blank lines before the row spoil it in any case.
   */
  readsAnewAt?: (row: number) => boolean;
  /**
   * Asked at the start of a row: takes rows by other means, as many as it can, and moves the cursor behind them; `cut`:
   * the next one does not end in this window.
   */
  takeRows?: (window: Window, cursor: { at: number; row: number }) => "cut" | "stopped";
  /** Called after each other row with the number of its fields and the offset behind it; false stops the scan. */
  onRow: (fields: number, nextOffset: number) => boolean;
}

export type ScanEnd =
  | { reason: "end" }
  | { reason: "stopped" }
  | { reason: "not-utf8"; offset: number }
  | { reason: "open-quote"; row: number }
  | { reason: "field-too-long"; row: number }
  | { reason: "blank-behind-return"; row: number }
  | { reason: "too-many-fields"; row: number; fields: number };

/** Where a scan stands in its window, and in which field of which row. */
interface Cursor {
  at: number;
  row: number;
  field: number;
  /** Whether a row has begun: only between two rows may a line be blank. */
  inRow: boolean;
  /** The byte before the window, for a row that starts with it. */
  before: number;
  scratch: Uint8Array;
}

/**
 * Splits CSV into cells by pandas' rules: blank lines do not count, a quote opens a field only at its start, text
 * behind a closing quote is appended, a NUL ends its field. State is kept between windows of the source, so a
 * field, not a row, is the most that has to be in memory.
 */
export function scanCsv(source: ByteSource, plan: ScanPlan): ScanEnd {
  const cursor: Cursor = {
    at: 0,
    row: 0,
    field: 0,
    inRow: false,
    before: plan.before ?? LINE_FEED,
    scratch: new Uint8Array(256),
  };
  let offset = plan.offset;
  let want = 0;
  while (true) {
    const window = source.window(offset, want);
    if (window === null) return { reason: "not-utf8", offset };
    cursor.at = 0;
    const stop = scanWindow(cursor, window, offset, plan);
    const { row, field: fields } = cursor;
    if (stop === "too-many-fields") return { reason: stop, row, fields };
    if (stop === "stopped") return { reason: stop };
    if (stop !== "end" && stop !== "starved") return { reason: stop, row };
    offset += cursor.at;
    if (cursor.at > 0) cursor.before = window.bytes[cursor.at - 1];
    if (window.final) return { reason: "end" };
    // A field that does not fit the window asks for a larger one; twice as large keeps the rescans linear.
    want = stop === "starved" && cursor.at === 0 ? window.length * 2 : 0;
    if (want > 0 && window.length > plan.maxFieldBytes) return { reason: "field-too-long", row };
  }
}

/** Moves to the start of the next row that is not blank; false when the window holds none. */
function enterRow(cursor: Cursor, { bytes, length, final }: Window, separator: number): boolean {
  // A row that starts with a visible character, as nearly all do, is not a blank line.
  if (bytes[cursor.at] <= SPACE) {
    // What follows a carriage return at the end of a window decides about it.
    const known = !final && bytes[length - 1] === CARRIAGE_RETURN ? length - 1 : length;
    cursor.at = skipBlankLines(bytes, cursor.at, known, separator);
    if (isBlankToEnd(bytes, cursor.at, known, separator)) {
      if (final) cursor.at = length;
      return false;
    }
  }
  cursor.inRow = true;
  cursor.field = 0;
  return true;
}

/**
 * Whether the row that was just entered begins with a blank, behind a carriage return without a line feed or a separator
 * swallowed behind one.
 */
function isBlankBehindReturn({ at, before }: Cursor, { bytes }: Window, separator: number): boolean {
  if (bytes[at] > SPACE || bytes[at] === separator || (bytes[at] !== SPACE && bytes[at] !== TAB))
    return false;
  const byte = at > 0 ? bytes[at - 1] : before;
  return byte === CARRIAGE_RETURN || byte === separator;
}

/**
 * Hands the cells of a window to their sinks, from the row and field on in which the last window ended. All the hot
 * loops are here and nothing else is: V8 optimises this function alone, and what happens at the edges of windows does
 * not make it start over.
 */
function scanWindow(
  cursor: Cursor,
  window: Window,
  offset: number,
  plan: ScanPlan,
): Exclude<ScanEnd["reason"], "not-utf8"> | "starved" {
  const { sinks, otherwise, maxFields, maxFieldBytes, onRow, separator = COMMA } = plan;
  const { bytes, length, final, hasNul } = window;
  const highest = Math.max(separator, CARRIAGE_RETURN);
  const { takeRows } = plan;
  // Rows are mostly alike: what one is refused for, the next ones will have as well.
  let refusals = 0;
  while (cursor.at < length || (final && cursor.inRow)) {
    if (takeRows !== undefined && refusals < MAX_REFUSALS && !cursor.inRow) {
      const stop = takeRows(window, cursor);
      // A cut row is read whole from the next window, unless that would begin where this one did.
      if (stop === "cut" && !final && cursor.at > 0) return cursor.at < length ? "starved" : "end";
      if (cursor.at === length) continue;
      refusals++;
    }
    if (!cursor.inRow) {
      const lineStart = cursor.at;
      if (!enterRow(cursor, window, separator)) return cursor.at < length ? "starved" : "end";
      if (
        plan.readsAnewAt !== undefined &&
        isBlankBehindReturn(cursor, window, separator) &&
        !(plan.readsAnewAt(cursor.row) && cursor.at === lineStart)
      )
        return "blank-behind-return";
    }
    const { at } = cursor;
    const sink = cursor.field < sinks.length ? sinks[cursor.field] : otherwise;
    let end: number;
    if (sink?.takesDecimals && separator === COMMA && scanDecimal(bytes, at) && scanned.end < length - 1) {
      end = scanned.end;
      sink.pushDecimal(scanned.value, scanned.integer);
    } else if (bytes[at] === QUOTE && at < length) {
      const close = scanQuoted(bytes, at, length, cursor, separator);
      if (close.end === length && (!final || close.open)) return final ? "open-quote" : "starved";
      end = close.end;
      if (bytes[end] === CARRIAGE_RETURN && end + 1 === length && !final) return "starved";
      const stop = hasNul ? beforeNul(close.bytes, close.start, close.stop) : close.stop;
      if (sink !== undefined) sink.pushCell(close.bytes, close.start, stop);
    } else {
      end = at;
      let byte = bytes[end];
      // Letters, digits, the minus and the point lie above a comma: one comparison for most bytes.
      while (byte > highest || (byte !== separator && byte !== LINE_FEED && byte !== CARRIAGE_RETURN)) {
        byte = bytes[++end];
      }
      if (!final && (end === length || (byte === CARRIAGE_RETURN && end + 1 === length))) return "starved";
      if (sink !== undefined) sink.pushCell(bytes, at, hasNul ? beforeNul(bytes, at, end) : end);
    }
    if (end - at > maxFieldBytes) return "field-too-long";
    cursor.field++;
    if (bytes[end] === separator && end < length) {
      cursor.at = end + 1;
      continue;
    }
    const isPair = bytes[end] === CARRIAGE_RETURN && end + 1 < length && bytes[end + 1] === LINE_FEED;
    cursor.at = end < length ? end + (isPair ? 2 : 1) : length;
    if (cursor.field > maxFields) return "too-many-fields";
    for (let rest = cursor.field; rest < sinks.length; rest++) sinks[rest]?.pushMissing();
    cursor.inRow = false;
    cursor.row++;
    if (!onRow(cursor.field, offset + cursor.at)) return "stopped";
  }
  return "end";
}

/** The start of the first line that is not blank as far as the window shows it. Leading blanks belong to their row. */
function skipBlankLines(bytes: Uint8Array, from: number, length: number, separator: number): number {
  let start = from;
  let at = from;
  while (at < length) {
    const byte = bytes[at++];
    if (byte === LINE_FEED) start = at;
    else if (byte === CARRIAGE_RETURN) {
      // Behind an empty line that ends with it, pandas swallows a separator.
      if (bytes[at] === separator && at < length) at++;
      start = at;
    } else if (byte === separator || (byte !== SPACE && byte !== TAB)) break;
  }
  return start;
}

function isBlankToEnd(bytes: Uint8Array, from: number, length: number, separator: number): boolean {
  let at = from;
  while (at < length && bytes[at] !== separator && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
  return at === length;
}

interface Quoted {
  bytes: Uint8Array;
  start: number;
  stop: number;
  /** The separator or line end behind the field. */
  end: number;
  /** Still inside the quotes when the window ended. */
  open: boolean;
}

function scanQuoted(
  bytes: Uint8Array,
  at: number,
  length: number,
  cursor: Cursor,
  separator: number,
): Quoted {
  const start = at + 1;
  let from = start;
  let close = start;
  while (close < length && bytes[close] !== QUOTE) close++;
  const after = close + 1;
  if (close < length && (after === length || isFieldEnd(bytes[after], separator))) {
    return { bytes, start, stop: close, end: Math.min(after, length), open: false };
  }
  // Doubled quotes, or text behind the closing quote: put the pieces together.
  let used = 0;
  let quoted = true;
  let end = close;
  while (true) {
    const piece = end - from;
    if (used + piece + 1 > cursor.scratch.length) {
      const larger = new Uint8Array((used + piece) * 2 + 16);
      larger.set(cursor.scratch.subarray(0, used));
      cursor.scratch = larger;
    }
    cursor.scratch.set(bytes.subarray(from, end), used);
    used += piece;
    if (end >= length || !quoted) break;
    if (end + 1 < length && bytes[end + 1] === QUOTE) {
      cursor.scratch[used++] = QUOTE;
      from = end + 2;
      end = from;
      while (end < length && bytes[end] !== QUOTE) end++;
    } else {
      quoted = false;
      from = end + 1;
      end = from;
      while (end < length && !isFieldEnd(bytes[end], separator)) end++;
    }
  }
  return { bytes: cursor.scratch, start: 0, stop: used, end: Math.min(end, length), open: quoted };
}

function isFieldEnd(byte: number, separator: number): boolean {
  return byte === separator || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

function beforeNul(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) if (bytes[i] === 0) return i;
  return end;
}
