import type { PrintMode } from "../columns/column-kinds.ts";
import type { CellSink } from "../csv/scanner.ts";
import type { CsvStyle } from "../csv/writer.ts";
import { floatText } from "../python-text.ts";
import { asciiText, floatCell, integerCell, isMissingText, MISSING_INTEGER } from "./cell-text.ts";
import { POWERS_OF_TEN } from "./decimal.ts";
import { defaultFloatCell } from "./default-float.ts";
import { fixedText, generalText } from "./float-format.ts";
import { lastDigitChange } from "./shortest-decimal.ts";

const NOTHING = new Uint8Array(0);
const QUOTE = 34;
const LINE_FEED = 10;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const EXACT_DIGITS = 15;
const MAX_DIGITS = 17;
const EXACT_LIMIT = 2 ** 53;
const SMALL_DECIMALS = 5;
const LONGEST_NUMBER = 40;

/** The printed cells of one row, one behind the other, each followed by the separator. */
export interface RowText {
  bytes: Uint8Array;
  used: number;
}

export interface PrintRules {
  readonly style: CsvStyle;
  readonly defaultFloats: boolean;
  /** Leave texts without quotes, for reading rather than writing. */
  readonly bare?: boolean;
}

/**
 * Prints the cells of one column as pandas writes what it has read, straight from bytes to bytes. Most numbers are spelled in the file
 * as Python would print them; those are recognised and copied, which is what makes tens of millions of rows bearable.
 */
export class CellPrinter implements CellSink {
  readonly takesDecimals = false;
  /** To be set at the start of each block of rows. */
  mode: PrintMode = "text";
  start = 0;
  end = 0;
  /** Whether the last cell was missing. */
  missing = false;
  private readonly row: RowText;
  private readonly separator: number;
  private readonly quoteAll: boolean;
  private readonly bare: boolean;
  private readonly floats: NonNullable<CsvStyle["floats"]>;
  private readonly defaultFloats: boolean;
  private readonly parseFloatCell: (text: string) => number | null;

  constructor(row: RowText, { style, defaultFloats, bare = false }: PrintRules) {
    this.row = row;
    this.bare = bare;
    this.separator = (style.separator ?? ",").charCodeAt(0);
    this.quoteAll = style.quoting === "nonnumeric";
    this.floats = style.floats ?? "shortest";
    this.defaultFloats = defaultFloats;
    this.parseFloatCell = defaultFloats ? defaultFloatCell : exactFloat;
  }

  pushDecimal(): void {
    throw new Error("this sink takes no decimals");
  }

  pushMissing(): void {
    this.begin(0);
    // A short row among unsigned integers holds an empty text.
    if (this.mode === "verbatim") this.printText(NOTHING, 0, 0);
    else this.printMissing();
    this.finish();
  }

  pushCell(bytes: Uint8Array, start: number, end: number): void {
    this.begin(end - start);
    if (this.mode === "verbatim") this.printText(bytes, start, end);
    else if (isMissingText(bytes, start, end)) this.printMissing();
    else if (this.mode === "text") this.printText(bytes, start, end);
    else this.printNumber(bytes, start, end);
    this.finish();
  }

  private begin(cellBytes: number): void {
    const { row } = this;
    const needed = row.used + 2 * cellBytes + LONGEST_NUMBER;
    if (needed > row.bytes.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(row.bytes.subarray(0, row.used));
      row.bytes = larger;
    }
    this.start = row.used;
    this.missing = false;
  }

  private finish(): void {
    this.end = this.row.used;
    this.row.bytes[this.row.used++] = this.separator;
  }

  private printMissing(): void {
    this.missing = true;
    if (!this.quoteAll) return;
    this.row.bytes[this.row.used++] = QUOTE;
    this.row.bytes[this.row.used++] = QUOTE;
  }

  private printText(bytes: Uint8Array, start: number, end: number): void {
    if (this.bare) {
      this.copy(bytes, start, end);
      return;
    }
    const { row, separator } = this;
    if (!this.quoteAll) {
      // Copied while it is looked at; most texts hold nothing that needs quotes. All that does is below the letters and digits.
      const { bytes: target, used } = row;
      let from = start;
      for (let to = used; from < end; from++, to++) {
        const byte = bytes[from];
        if (byte <= COMMA && (byte === QUOTE || byte === separator || byte === LINE_FEED)) break;
        target[to] = byte;
      }
      if (from === end) {
        row.used = used + end - start;
        return;
      }
    }
    const target = row.bytes;
    let used = row.used;
    target[used++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) target[used++] = QUOTE;
      target[used++] = byte;
    }
    target[used++] = QUOTE;
    row.used = used;
  }

  private printNumber(bytes: Uint8Array, start: number, end: number): void {
    switch (this.mode) {
      case "int":
        if (isPlainInteger(bytes, start, end)) this.copy(bytes, start, end);
        else this.print(String(integerCell(asciiText(bytes, start, end))));
        return;
      case "float":
        if (this.floats === "shortest" && this.printPlainFloat(bytes, start, end)) return;
        this.printFloat(this.parseFloatCell(asciiText(bytes, start, end))!);
        return;
      case "int-as-float":
        this.printFloat(Number(integerCell(asciiText(bytes, start, end))));
        return;
      case "gappy-int":
        this.printUnlessGap(Number(integerCell(asciiText(bytes, start, end))));
        return;
      default:
        this.printBoolean((bytes[start] | 32) === 116);
    }
  }

  /**
   * Prints a plain decimal without making a text of its number: up to 15 digits, without needless zeros, it is the shortest text of its
   * double already, and with one or two more it mostly is, or all but the last digit. False leaves it to be parsed: longer ones, exponents, leading zeros, and below 0.0001, where Python writes an exponent.
   */
  private printPlainFloat(bytes: Uint8Array, start: number, end: number): boolean {
    const first = bytes[start] === MINUS ? start + 1 : start;
    if (first === end || end - first > MAX_DIGITS + 1) return false;
    let point = first;
    while (point < end && isDigit(bytes[point])) point++;
    if (point === first || (bytes[first] === ZERO && point > first + 1)) return false;
    if (point === end) {
      if (end - first > EXACT_DIGITS) return false;
      this.copy(bytes, start, end);
      this.row.bytes[this.row.used++] = POINT;
      this.row.bytes[this.row.used++] = ZERO;
      return true;
    }
    if (bytes[point] !== POINT || point + 1 === end) return false;
    for (let i = point + 1; i < end; i++) if (!isDigit(bytes[i])) return false;
    let last = end;
    while (last > point + 2 && bytes[last - 1] === ZERO) last--;
    const small = bytes[first] === ZERO && last - point > SMALL_DECIMALS;
    if (small && startsWithZeros(bytes, point + 1)) return false;
    // The default parser loses a digit to zeros at the end, too: they go through the same arithmetic as the others.
    if (this.defaultFloats && last < end && digitsOf(bytes, first, point, end) >= EXACT_LIMIT) return false;
    let change: number | null = 0;
    if (last - first > EXACT_DIGITS + 1) {
      change = changeOfLastDigit(bytes, first, point, last);
      if (change === null) return false;
    }
    this.copy(bytes, start, last);
    this.row.bytes[this.row.used - 1] += change;
    return true;
  }

  private printUnlessGap(value: number): void {
    if (value === MISSING_INTEGER) this.printMissing();
    else this.printFloat(value);
  }

  private printFloat(value: number): void {
    if (this.floats === "shortest") this.print(floatText(value));
    else this.print(this.floats === "%.10f" ? fixedText(value, 10) : generalText(value, 10));
  }

  private printBoolean(value: boolean): void {
    if (this.mode === "bool-as-int") this.print(value ? "1" : "0");
    else if (this.mode === "bool-as-float") this.printFloat(value ? 1 : 0);
    else this.print(value ? "True" : "False");
  }

  private copy(bytes: Uint8Array, start: number, end: number): void {
    const { row } = this;
    if (end - start > 64) row.bytes.set(bytes.subarray(start, end), row.used);
    else for (let from = start, to = row.used; from < end; from++, to++) row.bytes[to] = bytes[from];
    row.used += end - start;
  }

  private print(text: string): void {
    const { row } = this;
    if (row.used + text.length + 1 > row.bytes.length) {
      const larger = new Uint8Array((row.used + text.length) * 2 + LONGEST_NUMBER);
      larger.set(row.bytes.subarray(0, row.used));
      row.bytes = larger;
    }
    for (let i = 0; i < text.length; i++) row.bytes[row.used++] = text.charCodeAt(i);
  }
}

/** True for an integer that Python would print with the same characters. */
function isPlainInteger(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  if (first >= end || (bytes[first] === ZERO && end - start > 1)) return false;
  for (let i = first; i < end; i++) if (!isDigit(bytes[i])) return false;
  return true;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 57;
}

/** The digits of a decimal as a whole number, exact below 2^53. */
function digitsOf(bytes: Uint8Array, first: number, point: number, end: number): number {
  let digits = 0;
  for (let i = first; i < end; i++) if (i !== point) digits = digits * 10 + (bytes[i] - ZERO);
  return digits;
}

/** In a small function of its own the engine keeps the digits in a register; handed around, they would be garbage for each cell. */
function changeOfLastDigit(bytes: Uint8Array, first: number, point: number, end: number): number | null {
  const digits = digitsOf(bytes, first, point, end);
  return digits >= EXACT_LIMIT ? null : lastDigitChange(digits, POWERS_OF_TEN[end - point - 1]);
}

/** Whether the decimals start with four zeros. */
function startsWithZeros(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === ZERO && bytes[at + 1] === ZERO && bytes[at + 2] === ZERO && bytes[at + 3] === ZERO;
}

/** The value of a cell that is known to be a float: then only the spellings of infinity are beyond `Number`. */
function exactFloat(text: string): number | null {
  const value = Number(text);
  return Number.isNaN(value) ? floatCell(text) : value;
}
