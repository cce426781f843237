/**
 * Rounding to five decimals the way numpy does it: multiply, round half to even, divide, all in doubles.
 * 0.000005 becomes 0, because the product is exactly one half.
 */
export function roundNumpy(value: number): number {
  return roundHalfEven(value * 100_000) / 100_000;
}

/**
 * Rounding to five decimals the way Python's `round` does it: the exact binary value decides, and only an exact
 * tie goes to the even neighbour. `toFixed` agrees except on those ties, which are the odd multiples of 1/64.
 */
export function roundPython(value: number): number {
  if (!Number.isFinite(value)) return value;
  const sixtyFourths = Math.abs(value) * 64;
  if (Number.isInteger(sixtyFourths) && sixtyFourths % 2 === 1)
    return roundHalfEven(value * 100_000) / 100_000;
  // Past 1e21 toFixed switches to exponent form; such values have no decimals left to round.
  if (Math.abs(value) >= 1e15) return value;
  const rounded = Number(Math.abs(value).toFixed(5));
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/** Nearest integer, ties to the even one; NaN, infinities and the sign of zero pass through. */
export function roundHalfEven(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value;
  const floor = Math.floor(value);
  const rest = value - floor;
  const rounded = rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
  return rounded === 0 && (value < 0 || Object.is(value, -0)) ? -0 : rounded;
}
