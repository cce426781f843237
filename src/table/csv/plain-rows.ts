import { POWERS_OF_TEN } from "../cells/decimal.ts";
import type { ColumnBuilder } from "../columns/column-builder.ts";
import { WINDOW, type Window } from "./byte-source.ts";
import {
  assembleTakeRows,
  COLUMN_BYTES,
  COLUMNS,
  DECIMALS,
  HAS_MINUS,
  HAS_POINT,
  POWERS,
  REACHED,
  SKIPPED,
  TEXTS,
} from "./row-kernel.ts";

const MAX_COLUMNS = 1024;
const MAX_TEXT_COLUMNS = 8;
/** The kernel reads and writes whole vectors, past the end of what it was given. */
const SLACK = 64;
const WINDOW_AT = COLUMNS + MAX_COLUMNS * COLUMN_BYTES + SLACK;
const VALUES_AT = roundUp(WINDOW_AT + WINDOW + SLACK);
/** A row has at least a byte for each of its columns: all values of a window fit, however many columns share them. */
const VALUE_BYTES = (WINDOW + MAX_COLUMNS) * 8;
const TEXTS_AT = VALUES_AT + VALUE_BYTES;
const TEXT_BYTES = WINDOW + SLACK;
const PAGE = 2 ** 16;

/**
 * Takes rows of plain cells, which nearly all rows of most files are, several times as fast as going from cell to cell:
 * in WebAssembly, which needs no warming up either.
 */
export interface PlainRows {
  /** What a source may read its windows into, to spare them being copied. */
  buffer: Buffer;
  /** Whether rows of so many columns may be taken. */
  fits(width: number): boolean;
  /**
   * Takes rows from the cursor on and moves it behind them. Stops, perhaps at once, at the first row that needs a closer
   * look; `cut` says that this one is cut by the end of the window.
   */
  take(
    window: Window,
    cursor: { at: number; row: number },
    columns: readonly (ColumnBuilder | undefined)[],
    mostRows: number,
  ): "cut" | "stopped";
  /** Gives its memory back, for the next file. */
  close(): void;
}

let module: WebAssembly.Module | null = null;
const free: PlainRows[] = [];

export function openPlainRows(): PlainRows {
  return free.pop() ?? createPlainRows();
}

function createPlainRows(): PlainRows {
  const pages = Math.ceil((TEXTS_AT + MAX_TEXT_COLUMNS * TEXT_BYTES) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: false });
  module ??= new WebAssembly.Module(assembleTakeRows());
  const { takeRows } = new WebAssembly.Instance(module, { env: { memory } }).exports as {
    takeRows(at: number, length: number, most: number, columns: number, columnsEnd: number): number;
  };
  const bytes = Buffer.from(memory.buffer);
  const ints = new Int32Array(memory.buffer);
  new Float64Array(memory.buffer, POWERS, POWERS_OF_TEN.length).set(POWERS_OF_TEN);

  function describe(columns: readonly (ColumnBuilder | undefined)[], stride: number): boolean {
    let texts = 0;
    for (let i = 0; i < columns.length; i++) {
      const kind = columns[i]?.plainKind ?? "skipped";
      if (kind === "other" || (kind === "texts" && texts === MAX_TEXT_COLUMNS)) return false;
      const at = (COLUMNS + i * COLUMN_BYTES) >> 2;
      ints[at] = kind === "decimals" ? DECIMALS : kind === "texts" ? TEXTS : SKIPPED;
      ints[at + 1] = 0;
      ints[at + 2] = VALUES_AT + i * stride;
      if (kind !== "texts") continue;
      ints[at + 3] = TEXTS_AT + texts++ * TEXT_BYTES;
      ints[at + 4] = 0;
    }
    return true;
  }

  function hand(columns: readonly (ColumnBuilder | undefined)[], stride: number, taken: number): void {
    let texts = 0;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i];
      if (column === undefined) continue;
      const at = (COLUMNS + i * COLUMN_BYTES) >> 2;
      const from = VALUES_AT + i * stride;
      if (ints[at] === DECIMALS) {
        const values = new Float64Array(memory.buffer, from, taken);
        column.addDecimals(values, (ints[at + 1] & HAS_POINT) !== 0, (ints[at + 1] & HAS_MINUS) !== 0);
      } else {
        const ends = new Uint32Array(memory.buffer, from, taken);
        const start = TEXTS_AT + texts++ * TEXT_BYTES;
        column.addTexts(bytes.subarray(start, start + ends[taken - 1]), ends);
      }
    }
  }

  const rows: PlainRows = {
    buffer: bytes.subarray(WINDOW_AT, WINDOW_AT + WINDOW + 1),
    fits: (width) => width <= MAX_COLUMNS,
    take(window, cursor, columns, mostRows) {
      const { length } = window;
      const capacity = Math.floor(WINDOW / columns.length) + 1;
      const stride = capacity * 8;
      if (window.hasNul || length - cursor.at > WINDOW || !describe(columns, stride)) return "stopped";
      // A window that lies elsewhere is copied, as far as it is left.
      const inPlace = window.bytes.buffer === memory.buffer;
      const from = inPlace ? cursor.at : 0;
      const end = inPlace ? length : length - cursor.at;
      if (!inPlace) window.bytes.copy(bytes, WINDOW_AT, cursor.at, length + 1);
      const most = Math.min(mostRows, capacity);
      const columnsEnd = COLUMNS + columns.length * COLUMN_BYTES;
      const taken = takeRows(WINDOW_AT + from, WINDOW_AT + end, most, COLUMNS, columnsEnd);
      const isCut = ints[(REACHED >> 2) + 1] >= WINDOW_AT + end;
      if (taken > 0) {
        cursor.at += ints[REACHED >> 2] - WINDOW_AT - from;
        cursor.row += taken;
        hand(columns, stride, taken);
      }
      return isCut ? "cut" : "stopped";
    },
    close: () => void free.push(rows),
  };
  return rows;
}

function roundUp(address: number): number {
  return Math.ceil(address / 64) * 64;
}
