import { floatText } from "../python-text.ts";
import { compareCodePoints } from "../rows/code-point-order.ts";
import { unicodeEscape } from "./unicode-escape.ts";
import type { JsonSource } from "./value.ts";

export interface PythonJsonStyle {
  /** Blanks per level. Without it everything stands on one line. */
  readonly indent?: number;
  /** Sorts keys at every level, by code point. */
  readonly sortKeys?: boolean;
}

interface Printer {
  readonly write: (piece: string) => void;
  readonly indent: number | null;
  readonly sortKeys: boolean;
}

const NOTHING: readonly JsonSource[] = [];

// JSON.stringify escapes quotes, backslashes and controls as Python does, but leaves everything else as it is.
const BEYOND_ASCII = /[\x7f-\uffff]/g;

/** Python's `json.dumps`. A text near half a gigabyte fits no JavaScript string: use `writePythonJson` there. */
export function pythonJson(value: JsonSource, style: PythonJsonStyle = {}): string {
  const pieces: string[] = [];
  writePythonJson(value, (piece) => pieces.push(piece), style);
  return pieces.join("");
}

/** Python's `json.dump`, in small pieces, without a final line end. A number prints as a float: 1 becomes `1.0`, 1n becomes `1`. */
export function writePythonJson(
  value: JsonSource,
  write: (piece: string) => void,
  style: PythonJsonStyle = {},
): void {
  writeValue({ write, indent: style.indent ?? null, sortKeys: style.sortKeys ?? false }, value, 0);
}

/**
 * The same for a value of any length, with a rest now and then: after so many items of the outer two levels, where the long lists are.
 */
export async function writeLongPythonJson(
  value: JsonSource,
  write: (piece: string) => void,
  style: PythonJsonStyle,
  rest: { readonly every: number; readonly take: () => Promise<void> },
): Promise<void> {
  const printer = { write, indent: style.indent ?? null, sortKeys: style.sortKeys ?? false };
  let items = 0;
  for (const outer of eachInside(printer, value, 0)) {
    for (const item of eachInside(printer, outer, 1)) {
      writeValue(printer, item, 2);
      if (++items % rest.every === 0) await rest.take();
    }
  }
}

function writeValue(printer: Printer, value: JsonSource, depth: number): void {
  for (const item of eachInside(printer, value, depth)) writeValue(printer, item, depth + 1);
}

/** Writes a scalar; of a list or an object it writes what stands between the items, which it hands over to be written in their places. */
function eachInside(printer: Printer, value: JsonSource, depth: number): Iterable<JsonSource> {
  if (typeof value === "object" && value !== null)
    return isMap(value) ? eachMember(printer, value, depth) : eachItem(printer, value, depth);
  printer.write(scalarText(value));
  return NOTHING;
}

function* eachItem(printer: Printer, list: Iterable<JsonSource>, depth: number): Generator<JsonSource> {
  let before = `[${lineBreak(printer, depth + 1)}`;
  let isEmpty = true;
  for (const item of list) {
    printer.write(before);
    before = separator(printer, depth + 1);
    isEmpty = false;
    yield item;
  }
  printer.write(isEmpty ? "[]" : `${lineBreak(printer, depth)}]`);
}

function* eachMember(
  printer: Printer,
  members: ReadonlyMap<string, JsonSource>,
  depth: number,
): Generator<JsonSource> {
  let before = `{${lineBreak(printer, depth + 1)}`;
  const entries = printer.sortKeys ? [...members].sort(([a], [b]) => compareCodePoints(a, b)) : members;
  for (const [key, member] of entries) {
    printer.write(`${before}${asciiJsonString(key)}: `);
    before = separator(printer, depth + 1);
    yield member;
  }
  printer.write(members.size === 0 ? "{}" : `${lineBreak(printer, depth)}}`);
}

function separator(printer: Printer, depth: number): string {
  return printer.indent === null ? ", " : `,${lineBreak(printer, depth)}`;
}

function lineBreak(printer: Printer, depth: number): string {
  return printer.indent === null ? "" : `\n${" ".repeat(printer.indent * depth)}`;
}

function scalarText(value: null | boolean | string | number | bigint): string {
  if (typeof value === "string") return asciiJsonString(value);
  return typeof value === "number" ? pythonJsonFloat(value) : String(value);
}

function pythonJsonFloat(value: number): string {
  return Number.isFinite(value) ? floatText(value) : String(value);
}

/** A string in quotes, ASCII only; U+007F is escaped too, a slash is not. */
function asciiJsonString(text: string): string {
  return JSON.stringify(text).replace(BEYOND_ASCII, unicodeEscape);
}

function isMap(value: object): value is ReadonlyMap<string, JsonSource> {
  return value instanceof Map;
}
