/** P(Z ≤ z) of the standard normal distribution. */
export function normalDistribution(z: number): number {
  return 0.5 * complementaryError(-z / Math.SQRT2);
}

/** 1 − erf(x): by its series near zero, by its continued fraction far from it, where 1 − erf would cancel. */
function complementaryError(x: number): number {
  if (x < 0) return 2 - complementaryError(-x);
  if (x < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}
