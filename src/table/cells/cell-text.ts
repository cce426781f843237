/** Single cells by pandas' rules, on bytes: which texts are missing values, integers, floats or booleans. */

const MISSING = new Set(
  "#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null".split(
    "|",
  ),
);
// No two neighbouring parts of these patterns may match the same characters: a cell of a megabyte that almost fits
// would be tried in a million ways.
const FLOAT = /^[\t-\r ]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[\t-\r ]*$/;
const INFINITY = /^([+-]?)inf(?:inity)?$/i;
const INTEGER = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*$/;
const LONG_DIGITS = /^[\t-\r ]*([+-]?)0*([1-9]\d{18,})/;
const LEADING_ZEROS = /^0+(?=\d)/;
const LONGEST_INTEGER = 20;
const BEYOND_64_BITS = 2n ** 64n;
const BEYOND_63_BITS = 2n ** 63n;
const LONGEST_MISSING = 8;

/** pandas marks gaps among integers with the smallest one, before it makes floats of them: the same number then reads as a gap. */
export const MISSING_INTEGER = -(2 ** 63);

export function isMissingText(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 0) return true;
  if (length < 2 || length > LONGEST_MISSING) return false;
  const first = bytes[start];
  // Every missing text starts with one of # - 1 < N n.
  if (first !== 78 && first !== 110 && first !== 35 && first !== 45 && first !== 49 && first !== 60)
    return false;
  // Numbers start like some of them, but are far more frequent.
  const digit = first === 45 ? start + 1 : start;
  if (bytes[digit] >= 48 && bytes[digit] <= 57 && bytes[digit + 2] !== 35) return false;
  return MISSING.has(asciiText(bytes, start, end));
}

/**
 * The value of an integer cell, white space around allowed; null for anything else. More digits than 64 bits can
 * hold come back as a value just beyond them: a cell of a million digits must not cost a million-digit number.
 */
export function integerCell(text: string): bigint | null {
  const match = INTEGER.exec(text);
  if (!match) return null;
  const digits = match[2].replace(LEADING_ZEROS, "");
  const size = digits.length > LONGEST_INTEGER ? BEYOND_64_BITS : BigInt(digits);
  return match[1] === "-" ? -size : size;
}

/**
 * Whether the digits a cell starts with are beyond 64 bits. pandas stops reading there, whatever follows: the same number with a fraction
 * is no more a float than without.
 */
export function beyondIntegers(text: string): "above" | "below" | null {
  const match = LONG_DIGITS.exec(text);
  if (!match) return null;
  const size = match[2].length > LONGEST_INTEGER ? BEYOND_64_BITS : BigInt(match[2]);
  if (match[1] === "-") return size > BEYOND_63_BITS ? "below" : null;
  return size >= BEYOND_64_BITS ? "above" : null;
}

/**
 * A float cell, or null. A literal too large is not a number when positive but −Infinity when negative: pandas compares
 * the parsed value with the C constant for overflow, which has no negative twin.
 */
export function floatCell(text: string): number | null {
  const match = FLOAT.exec(text);
  if (match) {
    const value = Number(match[1]);
    return value === Number.POSITIVE_INFINITY ? null : value;
  }
  const infinite = INFINITY.exec(text);
  if (!infinite) return null;
  return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** 1, 0, or −1 for a text that is not a boolean. Letter case does not matter: pandas compares with `strcasecmp`. */
export function booleanCell(text: string): number {
  if (text.length === 4) return text.toLowerCase() === "true" ? 1 : -1;
  return text.length === 5 && text.toLowerCase() === "false" ? 0 : -1;
}

export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 64)
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
