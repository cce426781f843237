/**
 * The generalised mean, summed left to right. With a negative exponent a single zero makes the sum infinite and the
 * mean 0.
 */
export function powerMean(values: ArrayLike<number>, exponent: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ** exponent;
  return (sum / values.length) ** (1 / exponent);
}
