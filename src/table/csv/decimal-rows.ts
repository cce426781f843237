import { POWERS_OF_TEN } from "../cells/decimal.ts";
import type { ColumnBuilder } from "../columns/column-builder.ts";
import type { Window } from "./byte-source.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const MINUS = 45;
const COMMA = 44;
const POINT = 46;
const NOTHING = new Float64Array(0);
/** What 32 bits hold for sure, whose arithmetic is several times as fast as that of doubles. */
const MAX_DIGITS = 9;

/**
 * Takes rows that hold nothing but short plain decimals in the columns that are wanted, from the cursor on, straight into the arrays of their
 * columns, and moves the cursor behind the last of them. Stops, perhaps at once, at the first row that needs a closer
 * look: another kind of cell, too many or too few of them, the end of the window. A table of numbers is read in half
 * the time that going from cell to cell takes.
 */
export function takeDecimalRows(
  { bytes, length }: Window,
  cursor: { at: number; row: number },
  columns: readonly (ColumnBuilder | undefined)[],
  mostRows: number,
): void {
  let most = mostRows;
  let first = 0;
  for (const column of columns) {
    if (column === undefined) continue;
    most = Math.min(most, column.roomForDecimals);
    first = column.length;
  }
  if (most <= 0) return;
  const numbers = columns.map((column) => column?.decimals ?? NOTHING);
  const wanted = Uint8Array.from(columns, (column) => (column === undefined ? 0 : 1));
  const hasPoint = new Uint8Array(columns.length);
  const hasMinus = new Uint8Array(columns.length);
  const last = columns.length - 1;
  let taken = 0;
  let at = cursor.at;
  rows: while (taken < most) {
    for (let column = 0; column <= last; column++) {
      let byte = bytes[at];
      if (wanted[column] === 0) {
        if (byte === QUOTE) break rows;
        while (byte !== COMMA && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) byte = bytes[++at];
        if (byte !== (column < last ? COMMA : LINE_FEED) || at >= length - 1) break rows;
        // A first cell of blanks may be the whole of a blank line, and is looked at elsewhere.
        if (column === 0 && bytes[cursor.at] <= 32) break rows;
        at++;
        continue;
      }
      const negative = byte === MINUS;
      if (negative) byte = bytes[++at];
      const start = at;
      let digits = 0;
      while (byte >= 48 && byte <= 57) {
        digits = (Math.imul(digits, 10) + (byte - 48)) | 0;
        byte = bytes[++at];
      }
      let count = at - start;
      let value = digits;
      if (byte === POINT) {
        const point = at;
        byte = bytes[++at];
        while (byte >= 48 && byte <= 57) {
          digits = (Math.imul(digits, 10) + (byte - 48)) | 0;
          byte = bytes[++at];
        }
        count = at - start - 1;
        if (count > MAX_DIGITS) break rows;
        value = digits / POWERS_OF_TEN[at - point - 1];
        hasPoint[column] = 1;
      }
      const end = column < last ? COMMA : LINE_FEED;
      if (count === 0 || count > MAX_DIGITS || byte !== end || at >= length - 1) break rows;
      if (negative) hasMinus[column] = 1;
      numbers[column][first + taken] = negative ? -value : value;
      at++;
    }
    taken++;
    cursor.at = at;
  }
  if (taken === 0) return;
  cursor.row += taken;
  // A flag may come from the row that was not taken, but then the same cell is about to be read again.
  for (let i = 0; i <= last; i++) columns[i]?.addDecimals(taken, hasPoint[i] === 1, hasMinus[i] === 1);
}
