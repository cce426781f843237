const SPLITTER = 2 ** 27 + 1;

/**
 * How much the last digit of a decimal has to change to make it the shortest text of its double, or the nearest of several equally short:
 * -1, 0 or 1; null when it is another text altogether. The value is `digits / power`, with digits below 2^53, the last one not 0, and
 * a power of ten up to 10^22. Then at most the two neighbours read as the same double, and a shorter text would be one that ends in a zero.
 */
export function lastDigitChange(digits: number, power: number): number | null {
  const value = digits / power;
  const below = (digits - 1) / power === value;
  const above = (digits + 1) / power === value;
  if (!below && !above) return 0;
  const last = digits % 10;
  if ((below && last === 1) || (above && last === 9)) return null;
  const beyond = exactProduct(value, power, digits);
  if (Math.abs(beyond) === 0.5) return null;
  if (above && beyond > 0.5) return 1;
  return below && beyond < -0.5 ? -1 : 0;
}

/** `value * power - near`, without the rounding error of the product (Dekker's method: both factors are split into halves). */
function exactProduct(value: number, power: number, near: number): number {
  const product = value * power;
  const valueHigh = high(value);
  const valueLow = value - valueHigh;
  const powerHigh = high(power);
  const powerLow = power - powerHigh;
  const error =
    valueHigh * powerHigh - product + valueHigh * powerLow + valueLow * powerHigh + valueLow * powerLow;
  return product - near + error;
}

function high(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}
