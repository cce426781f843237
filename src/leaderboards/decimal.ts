/**
 * Scores compared as the decimals they print as. In doubles 0.9007 − 0.9006 is not 0.0001, and "one unit of the last
 * printed digit" would be decided by noise.
 */

/** Finite numbers as integers of one common scale: `values[i]` prints as `units[i] · 10^−decimals`. */
export function onCommonScale(values: readonly number[]): { units: bigint[]; decimals: number } {
  const decimals = Math.max(0, ...values.map(decimalPlaces));
  return { units: values.map((value) => unitsOf(value, decimals)), decimals };
}

/** How many decimals a finite number prints with: 0.46 has two, 3971366 none, 2.2e-5 six. */
export function decimalPlaces(value: number): number {
  const { mantissa, exponent } = scientific(value);
  return Math.max(0, mantissa.length - 1 - exponent);
}

/** `a − b` of two finite numbers as a person would do it on paper: 0.9007 − 0.9006 is 0.0001. */
export function decimalDifference(a: number, b: number): number {
  const { units, decimals } = onCommonScale([a, b]);
  return Number(`${units[0] - units[1]}e-${decimals}`);
}

/** |units|; `Math.abs` takes no BigInt. */
export function absolute(units: bigint): bigint {
  return units < 0n ? -units : units;
}

function unitsOf(value: number, decimals: number): bigint {
  const { mantissa, exponent } = scientific(value);
  const units = BigInt(mantissa) * 10n ** BigInt(decimals - (mantissa.length - 1 - exponent));
  return value < 0 ? -units : units;
}

/** The shortest digits that read back as |value|, with one of them before the point. */
function scientific(value: number): { mantissa: string; exponent: number } {
  const [digits, exponent] = Math.abs(value).toExponential().split("e");
  return { mantissa: digits.replace(".", ""), exponent: Number(exponent) };
}
