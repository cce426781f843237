const COMMA = 44;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const MINUS = 45;
const POINT = 46;
const EXACT_LIMIT = 2 ** 53;
const LARGEST_EXACT_POWER = 22;
/** More digits before the point may be too much for an integer, and then the column is not a float. */
export const SURELY_INT_DIGITS = 18;
/** Longer than any double is printed; a cell of a million digits is not a business of the quick path. */
const LONGEST = 64;
/** Those that a double holds exactly, from 1 on. */
export const POWERS_OF_TEN = Float64Array.from({ length: LARGEST_EXACT_POWER + 1 }, (_, i) =>
  Number(`1e${i}`),
);

/**
 * Where `scanDecimal` leaves its answer: one object reused for every cell, so that nothing is allocated. The value
 * starts as NaN, since V8 would take a 0 for a field of integers.
 */
export const scanned = { value: Number.NaN, end: 0, integer: false };

/**
 * Reads a plain decimal that runs up to a separator or line end, and says whether it could. Where the digits fit 2^53
 * and the decimals a power of ten that is exact as a double, one division rounds correctly; longer ones, as programs
 * print doubles, take a detour. Everything else (exponents, long integers, blanks, signs other than a minus) is left
 * to the slow path.
 */
export function scanDecimal(bytes: Buffer, start: number): boolean {
  let at = start;
  let byte = bytes[at];
  const negative = byte === MINUS;
  if (negative) byte = bytes[++at];
  const first = at;
  let digits = 0;
  while (byte >= 48 && byte <= 57) {
    digits = digits * 10 + (byte - 48);
    byte = bytes[++at];
  }
  let count = at - first;
  let decimals = 0;
  let integer = true;
  if (byte === POINT) {
    integer = false;
    const point = at;
    byte = bytes[++at];
    while (byte >= 48 && byte <= 57) {
      digits = digits * 10 + (byte - 48);
      byte = bytes[++at];
    }
    decimals = at - point - 1;
    count += decimals;
  }
  if (count === 0 || (byte !== COMMA && byte !== LINE_FEED && byte !== CARRIAGE_RETURN)) return false;
  // Past 2^53 the running value is no longer exact, but it never falls back below the limit either.
  if (digits >= EXACT_LIMIT || decimals > LARGEST_EXACT_POWER) {
    if (integer || at - start > LONGEST || count - decimals > SURELY_INT_DIGITS) return false;
    scanned.value = Number(bytes.toString("latin1", start, at));
  } else {
    const size = decimals === 0 ? digits : digits / POWERS_OF_TEN[decimals];
    scanned.value = negative ? -size : size;
  }
  scanned.end = at;
  scanned.integer = integer;
  return true;
}
