import { incompleteBeta, logGamma, studentQuantile } from "./student-t.ts";

/** Weights of the series further than this many of its standard deviations from the middle are below rounding. */
const REACH = 10;

/** P(T ≤ t) for Student's t around `shift` instead of 0: what a test statistic follows when there is a difference. */
export function noncentralDistribution(t: number, degrees: number, shift: number): number {
  if (t < 0) return 1 - noncentralDistribution(-t, degrees, -shift);
  if (shift === 0 || !Number.isFinite(shift))
    return shift === 0 ? centralDistribution(t, degrees) : Number(shift < 0);
  const x = (t * t) / (t * t + degrees);
  const half = (shift * shift) / 2;
  const spread = Math.sqrt(half) + 1;
  const from = Math.max(0, Math.floor(half - REACH * spread - REACH));
  const to = Math.ceil(half + REACH * spread + 20);
  let sum = 0;
  for (let j = from; j <= to; j++) {
    const even = Math.exp(-half + j * Math.log(half) - logGamma(j + 1));
    const odd = Math.exp(-half + j * Math.log(half) - logGamma(j + 1.5)) * (shift / Math.SQRT2);
    sum += even * incompleteBeta(x, j + 0.5, degrees / 2) + odd * incompleteBeta(x, j + 1, degrees / 2);
  }
  return Math.min(1, Math.max(0, normalDistribution(-shift) + sum / 2));
}

function centralDistribution(t: number, degrees: number): number {
  return 0.5 + 0.5 * incompleteBeta((t * t) / (t * t + degrees), 0.5, degrees / 2);
}

/** Beyond it every test finds the difference, and the series grows long. */
const MAX_SHIFT = 60;

/** How often a two-sided t test at `level` finds a difference of `standardErrors`. */
export function studentPower(standardErrors: number, degrees: number, level = 0.05): number {
  const shift = Math.min(MAX_SHIFT, standardErrors);
  const bound = studentQuantile(1 - level / 2, degrees);
  return 1 - noncentralDistribution(bound, degrees, shift) + noncentralDistribution(-bound, degrees, shift);
}

/** P(Z ≤ z) of the standard normal distribution. */
function normalDistribution(z: number): number {
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
