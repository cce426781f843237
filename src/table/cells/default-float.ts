const FLOAT = /^[\t-\r ]*(?=[+-]?[.\d])([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?[\t-\r ]*$/;
const INFINITY = /^([+-]?)inf(?:inity)?$/i;
const MAX_DIGITS = 17;
const LARGEST_POWER = 308;

/**
 * A float cell as pandas reads it without `float_precision="round_trip"`, or null: at most 17 digits count, leading zeros included,
 * and one multiplication or division by a power of ten follows. With 16 digits and more the answer may be off by one place.
 */
export function defaultFloatCell(text: string): number | null {
  const match = FLOAT.exec(text);
  if (!match) return infinityCell(text);
  const [, sign, whole, fraction = "", exponentText = "0"] = match;
  if (whole === "" && fraction === "") return null;
  const digits = whole + fraction;
  const used = Math.min(digits.length, MAX_DIGITS);
  let size = 0;
  for (let i = 0; i < used; i++) size = size * 10 + (digits.charCodeAt(i) - 48);
  const wholeBeyond = Math.max(0, whole.length - MAX_DIGITS);
  const fractionUsed = Math.max(0, used - whole.length);
  const scaled = scaleByTen(size, wholeBeyond - fractionUsed + Number(exponentText));
  if (!Number.isFinite(scaled)) return null;
  return sign === "-" ? -scaled : scaled;
}

function infinityCell(text: string): number | null {
  const match = INFINITY.exec(text);
  if (!match) return null;
  return match[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function scaleByTen(size: number, exponent: number): number {
  if (exponent > LARGEST_POWER) return Number.POSITIVE_INFINITY;
  if (exponent > 0) return size * power(exponent);
  if (exponent >= -LARGEST_POWER) return size / power(-exponent);
  const rest = -LARGEST_POWER - exponent;
  return rest > LARGEST_POWER ? 0 : size / power(rest) / power(LARGEST_POWER);
}

function power(exponent: number): number {
  return Number(`1e${exponent}`);
}
