import { asciiText, floatCell, integerCell, isMissingText } from "./cell-text.ts";
import type { PrintMode } from "./column-kinds.ts";
import type { CellSink } from "./csv-scanner.ts";
import type { CsvStyle } from "./csv-writer.ts";
import { defaultFloatCell } from "./default-float.ts";
import { fixedText, generalText } from "./float-format.ts";
import { floatText } from "./python-text.ts";

const QUOTE = 34;
const LINE_FEED = 10;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const EXACT_DIGITS = 15;
const LONGEST_NUMBER = 40;

/** The printed cells of one row, one behind the other, each followed by the separator. */
export interface RowText {
  bytes: Uint8Array;
  used: number;
}

export interface PrintRules {
  readonly style: CsvStyle;
  readonly defaultFloats: boolean;
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
  private readonly row: RowText;
  private readonly separator: number;
  private readonly quoteAll: boolean;
  private readonly floats: NonNullable<CsvStyle["floats"]>;
  private readonly parseFloatCell: (text: string) => number | null;

  constructor(row: RowText, { style, defaultFloats }: PrintRules) {
    this.row = row;
    this.separator = (style.separator ?? ",").charCodeAt(0);
    this.quoteAll = style.quoting === "nonnumeric";
    this.floats = style.floats ?? "shortest";
    this.parseFloatCell = defaultFloats ? defaultFloatCell : floatCell;
  }

  pushDecimal(): void {
    throw new Error("this sink takes no decimals");
  }

  pushMissing(): void {
    this.begin(0);
    this.printMissing();
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
  }

  private finish(): void {
    this.end = this.row.used;
    this.row.bytes[this.row.used++] = this.separator;
  }

  private printMissing(): void {
    if (!this.quoteAll) return;
    this.row.bytes[this.row.used++] = QUOTE;
    this.row.bytes[this.row.used++] = QUOTE;
  }

  private printText(bytes: Uint8Array, start: number, end: number): void {
    const { row, separator } = this;
    let quote = this.quoteAll;
    let inner = false;
    for (let i = start; i < end; i++) {
      const byte = bytes[i];
      if (byte === QUOTE) inner = true;
      else if (byte === separator || byte === LINE_FEED) quote = true;
    }
    if (!quote && !inner) {
      this.copy(bytes, start, end);
      return;
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
        if (this.floats === "shortest" && isShortestFloat(bytes, start, end)) this.copy(bytes, start, end);
        else this.printFloat(this.parseFloatCell(asciiText(bytes, start, end))!);
        return;
      case "int-as-float":
        this.printFloat(Number(integerCell(asciiText(bytes, start, end))));
        return;
      default:
        this.printBoolean((bytes[start] | 32) === 116);
    }
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
  for (let i = first; i < end; i++) if (bytes[i] < 48 || bytes[i] > 57) return false;
  return true;
}

/**
 * True for a decimal that Python would print with the same characters. Up to 15 digits a decimal without needless zeros is the shortest text
 * of its double; below 0.0001 Python changes to an exponent.
 */
function isShortestFloat(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  if (end - first > EXACT_DIGITS + 1) return false;
  let point = first;
  while (point < end && bytes[point] >= 48 && bytes[point] <= 57) point++;
  if (point === first || point + 1 >= end || bytes[point] !== POINT) return false;
  if (bytes[first] === ZERO && point > first + 1) return false;
  for (let i = point + 1; i < end; i++) if (bytes[i] < 48 || bytes[i] > 57) return false;
  const decimals = end - point - 1;
  if (bytes[end - 1] === ZERO && decimals > 1) return false;
  if (bytes[first] !== ZERO || decimals < 5) return true;
  return (
    bytes[point + 1] !== ZERO ||
    bytes[point + 2] !== ZERO ||
    bytes[point + 3] !== ZERO ||
    bytes[point + 4] !== ZERO
  );
}
