import { floatText } from "../python-text.ts";

/** Python's `%.<decimals>f`, one decimal or more. Unlike `toFixed`: exact ties go to the even digit, −0 keeps its sign, 1e21 and above are spelled out. */
export function fixedText(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return floatText(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size >= 1e21) return `${sign}${BigInt(size)}.${"0".repeat(decimals)}`;
  // A tie is an odd multiple of 2^-(decimals+1): only then does the digit string end exactly in a five.
  const halves = size * 2 ** (decimals + 1);
  if (halves % 2 !== 1) return sign + size.toFixed(decimals);
  const lower = (BigInt(halves) * 5n ** BigInt(decimals) - 1n) / 2n;
  const digits = String(lower + (lower & 1n)).padStart(decimals + 1, "0");
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** C's `%.<digits>g`: so many significant digits, trailing zeros dropped; exact ties go to the even digit. Needs two digits or more. */
export function generalText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return floatText(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size === 0) return `${sign}0`;
  const [mantissa, exponentText] = significant(size, digits).split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= digits) {
    const padded = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${withoutTrailingZeros(mantissa)}e${exponent < 0 ? "-" : "+"}${padded}`;
  }
  const figures = mantissa.replace(".", "");
  if (exponent < 0) return sign + withoutTrailingZeros(`0.${"0".repeat(-exponent - 1)}${figures}`);
  return sign + withoutTrailingZeros(`${figures.slice(0, exponent + 1)}.${figures.slice(exponent + 1)}`);
}

/**
 * The text of a single-precision value: the shortest that reads back as the same 32 bits, laid out as `floatText` does.
 * Three powers of two (2^-96, 2^87, 2^90) come out one digit longer than numpy prints them.
 */
export function float32Text(value: number): string {
  if (!Number.isFinite(value) || value === 0) return floatText(value);
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Math.sign(value) * Number(significant(Math.abs(value), digits));
    if (Math.fround(candidate) === value) return floatText(candidate);
  }
  return floatText(Number(value.toPrecision(9)));
}

/** `toExponential` to so many digits, except that a tie takes the even digit; JavaScript always rounds ties up. */
function significant(size: number, digits: number): string {
  const rounded = size.toExponential(digits - 1);
  const [shortest, exponent] = size.toExponential().split("e");
  if (shortest.length !== digits + 2 || !shortest.endsWith("5")) return rounded;
  // One digit too many and that a five: a tie if the binary value is exactly this decimal.
  if (!/^0*e/.test(size.toExponential(100).slice(digits + 2))) return rounded;
  const cut = shortest.slice(0, -1);
  return Number(cut.at(-1)) % 2 === 0 ? `${cut}e${exponent}` : rounded;
}

/** For a text that has a decimal point. */
function withoutTrailingZeros(text: string): string {
  return text.replace(/\.?0*$/, "");
}
