/**
 * Python's text rules, where JavaScript's differ: what counts as white space, how numbers are parsed from text
 * and how they are printed. A contract file: any room may import it.
 */

// JavaScript's \s has U+FEFF and lacks U+001C–001F and U+0085. Around a number Python does not take U+001C–001F as space either.
const NUMBER_SPACE = "\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACE = `\\x1c-\\x1f${NUMBER_SPACE}`;
const WORD = new RegExp(`[^${SPACE}]+`, "g");
const IS_SPACE = new RegExp(`[${SPACE}]`);
const IS_NUMBER_SPACE = new RegExp(`[${NUMBER_SPACE}]`);
const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
// Longer ones take quadratic time to convert, so Python refuses them since 3.11.
const MAX_DIGITS = 4300;
// Where each script's ten digits start in Unicode 14, which Python 3.11 knows; Node's own tables are newer.
const DIGIT_ZEROS = (
  "660 6f0 7c0 966 9e6 a66 ae6 b66 be6 c66 ce6 d66 de6 e50 ed0 f20 1040 1090 17e0 1810 1946 19d0 " +
  "1a80 1a90 1b50 1bb0 1c40 1c50 a620 a8d0 a900 a9d0 a9f0 aa50 abf0 ff10 104a0 10d30 11066 110f0 " +
  "11136 111d0 112f0 11450 114d0 11650 116c0 11730 118e0 11950 11c50 11d50 11da0 16a60 16ac0 16b50 " +
  "1d7ce 1d7d8 1d7e2 1d7ec 1d7f6 1e140 1e2f0 1e950 1fbf0"
)
  .split(" ")
  .map((code) => Number.parseInt(code, 16));
const FOREIGN_DIGIT = new RegExp(
  `[${DIGIT_ZEROS.map((zero) => `${String.fromCodePoint(zero)}-${String.fromCodePoint(zero + 9)}`).join("")}]`,
  "gu",
);
const FLOAT = /^[+-]?(?:(?:\d+(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const SPECIAL_FLOAT = /^([+-]?)(inf|infinity|nan)$/i;

/** `str.split()`: pieces between runs of white space, never empty. */
export function words(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** `str.strip()`. */
export function strip(text: string): string {
  return trim(text, IS_SPACE);
}

/**
 * `int(text)` as a BigInt, or null where Python raises: also for more than 4300 digits, leading zeros included.
 * Underscores between digits and any Unicode digits are legal.
 */
export function parsePythonInt(text: string): bigint | null {
  const bare = bareNumber(text);
  if (!INTEGER.test(bare)) return null;
  const digits = bare.replace(/[+_-]/g, "");
  if (digits.length > MAX_DIGITS) return null;
  return bare.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}

/** `float(text)`, or null where Python raises. The answer may be NaN or infinite: those are legal texts. */
export function parsePythonFloat(text: string): number | null {
  const bare = bareNumber(text);
  if (FLOAT.test(bare)) return Number(bare.replaceAll("_", ""));
  const special = SPECIAL_FLOAT.exec(bare);
  if (!special) return null;
  if (special[2].toLowerCase() === "nan") return Number.NaN;
  return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** `repr(float)`: shortest digits that read back, always with a point or an exponent; NaN is `nan`. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [mantissa, exponent] = value.toExponential().split("e");
    const digits = exponent.slice(1).padStart(2, "0");
    return `${mantissa}e${exponent[0]}${digits}`;
  }
  const text = String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** The text of a number without the space around it, all digits in ASCII. */
function bareNumber(text: string): string {
  const bare = trim(text, IS_NUMBER_SPACE);
  for (let i = 0; i < bare.length; i++) {
    if (bare.charCodeAt(i) > 127) return bare.replace(FOREIGN_DIGIT, digitValue);
  }
  return bare;
}

function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  return String(code - DIGIT_ZEROS.findLast((zero) => zero <= code)!);
}

/** A loop, since a pattern for space at the end takes quadratic time on a long run of space in the middle. */
function trim(text: string, space: RegExp): string {
  const isSpace = (at: number) => {
    const code = text.charCodeAt(at);
    return (code < 33 || code > 126) && space.test(text[at]);
  };
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}
