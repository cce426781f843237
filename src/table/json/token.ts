/** A place in a JSON text. `problem` is set by whatever first finds the text malformed. */
export interface JsonCursor {
  readonly text: string;
  readonly dialect: JsonDialect;
  at: number;
  problem: string | null;
}

/**
 * Whose reader is followed: Python's `json`, or that of pandas, which does not round numbers correctly, takes raw control characters in strings,
 * and loses half of a surrogate pair where the other half is missing.
 */
export type JsonDialect = "python" | "pandas";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;

const LONGEST_COPIED = 12;

// Python refuses longer integers, whose conversion takes quadratic time.
const MAX_INTEGER_DIGITS = 4300;
const HEX_ESCAPE = /[0-9a-fA-F]{4}/y;
const FIRST_HALF_ALONE = /[\ud800-\udbff](?![\udc00-\udfff])/g;
const SECOND_HALF_ALONE = /(?<![\ud800-\udbff])[\udc00-\udfff]/;
const SHORT_ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const NEGATIVE_POWERS = Array.from({ length: 16 }, (_, k) => Number(`1e-${k}`));

/** Records the problem; the answer lets a reader write `return fail(…)`. */
export function fail(cursor: JsonCursor, problem: string): undefined {
  cursor.problem ??= problem;
  return undefined;
}

/** Skips blanks and answers the character there, NaN at the end of the text. */
export function nextCode(cursor: JsonCursor): number {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
    cursor.at++;
  }
}

/** A string, its opening quote being the next character. A raw control character is malformed to Python, an unpaired surrogate is not. */
export function readString(cursor: JsonCursor): string | undefined {
  const start = cursor.at;
  const value = readLongString(cursor) ?? readStringByCharacter(cursor);
  if (value === undefined || cursor.dialect === "python") return value;
  // Only an escape can be half a pair, and few texts have one; going through every long document would take minutes.
  const source = cursor.text.slice(start, cursor.at);
  return source.includes("\\ud") || source.includes("\\uD") ? pairedOnly(cursor, value) : value;
}

/**
 * The engine's own reader takes the same strings as Python's, is many times faster on long ones, and gives each a memory of its own: a piece cut out of
 * the text would hold all of the text for as long as somebody keeps it. Null for a short string, which is always copied, and for a malformed
 * one: only the reader by character knows where and why.
 */
function readLongString(cursor: JsonCursor): string | null {
  const { text, at } = cursor;
  let end = text.indexOf('"', at + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  if (end - at <= LONGEST_COPIED) return null;
  try {
    const value = JSON.parse(text.slice(at, end + 1)) as string;
    cursor.at = end + 1;
    return value;
  } catch {
    return null;
  }
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function readStringByCharacter(cursor: JsonCursor): string | undefined {
  const { text, dialect } = cursor;
  let piece = cursor.at + 1;
  let value = "";
  for (let at = piece; ; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      cursor.at = at + 1;
      return value + text.slice(piece, at);
    }
    if (code === BACKSLASH) {
      const found = readEscape(text, at);
      if (found === null) {
        cursor.at = at;
        return fail(cursor, "not an escape JSON knows");
      }
      value += text.slice(piece, at) + found.character;
      piece = found.end;
      at = piece - 1;
    } else if (!(code >= 0x20) && (dialect === "python" || at >= text.length)) {
      cursor.at = at;
      return fail(
        cursor,
        at < text.length ? "a control character inside a string" : "a string is not closed",
      );
    }
  }
}

/** A number: a bigint without point and exponent, else a double. Python reads `-0` as the integer 0, and `1e999` as infinity. */
export function readNumber(cursor: JsonCursor): number | bigint | undefined {
  const { text, dialect, at: start } = cursor;
  const whole = text.charCodeAt(start) === MINUS ? start + 1 : start;
  const wholeEnd = text.charCodeAt(whole) === ZERO ? whole + 1 : digitsEnd(text, whole);
  if (wholeEnd === whole) return fail(cursor, "expected a value");
  const fractionEnd = fractionEndAt(text, wholeEnd);
  const end = exponentEndAt(text, fractionEnd);
  const isInteger = end === wholeEnd;
  if (dialect === "pandas" && beyond64Bits(text.slice(start, wholeEnd))) {
    return fail(cursor, "an integer beyond 64 bits");
  }
  if (isInteger && wholeEnd - whole > MAX_INTEGER_DIGITS)
    return fail(cursor, "an integer of too many digits");
  cursor.at = end;
  if (isInteger) return integer(text, start, end);
  if (dialect === "python") return Number(text.slice(start, end));
  const fraction = text.slice(wholeEnd + 1, Math.max(fractionEnd, wholeEnd + 1)).slice(0, 15);
  const size = Number(text.slice(whole, wholeEnd)) + Number(fraction) * NEGATIVE_POWERS[fraction.length];
  const signed = size * (whole > start ? -1 : 1);
  return end === fractionEnd ? signed : signed * Number(`1e${text.slice(fractionEnd + 1, end)}`);
}

/** The word itself stands there, or the text is malformed. */
export function readWord<T>(cursor: JsonCursor, word: string, value: T): T | undefined {
  if (!cursor.text.startsWith(word, cursor.at)) return fail(cursor, "expected a value");
  cursor.at += word.length;
  return value;
}

function readEscape(text: string, backslash: number): { character: string; end: number } | null {
  const letter = text.charAt(backslash + 1);
  const short = SHORT_ESCAPES.get(letter);
  if (short !== undefined) return { character: short, end: backslash + 2 };
  HEX_ESCAPE.lastIndex = backslash + 2;
  if (letter !== "u" || !HEX_ESCAPE.test(text)) return null;
  const end = backslash + 6;
  return { character: String.fromCharCode(Number.parseInt(text.slice(end - 4, end), 16)), end };
}

/** Pandas drops a first half without a second; a second without a first it could not write. */
function pairedOnly(cursor: JsonCursor, text: string): string | undefined {
  const paired = text.replace(FIRST_HALF_ALONE, "");
  return SECOND_HALF_ALONE.test(paired) ? fail(cursor, "half a surrogate pair in a string") : paired;
}

function integer(text: string, start: number, end: number): bigint {
  const digits = text.slice(start, end);
  // Going through a double is several times faster than parsing a bigint, and exact up to 15 digits.
  return digits.length <= 15 ? BigInt(Number(digits)) : BigInt(digits);
}

function beyond64Bits(digits: string): boolean {
  if (digits.length < 19) return false;
  if (digits.length > 20) return true;
  const value = BigInt(digits);
  return BigInt.asUintN(64, value) !== value && BigInt.asIntN(64, value) !== value;
}

function fractionEndAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== POINT) return at;
  const end = digitsEnd(text, at + 1);
  return end === at + 1 ? at : end;
}

function exponentEndAt(text: string, at: number): number {
  if ((text.charCodeAt(at) | 0x20) !== LOWER_E) return at;
  const sign = text.charCodeAt(at + 1);
  const digits = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  const end = digitsEnd(text, digits);
  return end === digits ? at : end;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  for (let code = text.charCodeAt(end); code >= ZERO && code <= NINE; code = text.charCodeAt(end)) end++;
  return end;
}
