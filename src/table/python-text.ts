/**
 * Python's text rules, where JavaScript's differ: what counts as white space, how numbers are parsed from text
 * and how they are printed. A contract file: any room may import it.
 */

// JavaScript's \s has U+FEFF and lacks U+001C–001F and U+0085.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WORD = new RegExp(`[^${SPACE}]+`, "g");
const OUTER_SPACE = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "g");
const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const UNICODE_DIGIT = /\p{Nd}/gu;
const FLOAT = /^[+-]?(?:(?:\d+(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const SPECIAL_FLOAT = /^([+-]?)(inf|infinity|nan)$/i;

/** `str.split()`: pieces between runs of white space, never empty. */
export function words(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** `str.strip()`. */
export function strip(text: string): string {
  return text.replace(OUTER_SPACE, "");
}

/** `int(text)` as a BigInt, or null where Python raises. Underscores between digits and any Unicode digits are legal. */
export function parsePythonInt(text: string): bigint | null {
  const bare = asciiDigits(strip(text));
  if (!INTEGER.test(bare)) return null;
  const digits = bare.replaceAll("_", "");
  return digits.startsWith("-")
    ? -BigInt(digits.slice(1))
    : BigInt(digits.startsWith("+") ? digits.slice(1) : digits);
}

/** `float(text)`, or null where Python raises. The answer may be NaN or infinite: those are legal texts. */
export function parsePythonFloat(text: string): number | null {
  const bare = asciiDigits(strip(text));
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

function asciiDigits(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) return text.replace(UNICODE_DIGIT, digitValue);
  }
  return text;
}

/** Decimal digits come in runs of ten consecutive code points; some runs touch, so the distance to the first counts modulo ten. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}
