import { numpyMean, numpySum } from "../arithmetic/numpy-sum.ts";

/**
 * Pearson's correlation as scipy computes it. A constant, missing or infinite side gives NaN; two points give exactly
 * 1 or -1. The caller refuses fewer than two rows, as scipy does (here: NaN).
 */
export function pearson(x: Float64Array, y: Float64Array): number {
  if (x.length < 2 || isUnusable(x) || isUnusable(y)) return Number.NaN;
  if (x.length === 2) return Math.sign(x[1] - x[0]) * Math.sign(y[1] - y[0]);
  const xCentred = centred(x);
  const yCentred = centred(y);
  const xNorm = norm(xCentred);
  const yNorm = norm(yCentred);
  const correlation = numpySum(xCentred.map((value, i) => ((value / xNorm) * yCentred[i]) / yNorm));
  return Math.min(Math.max(correlation, -1), 1);
}

function isUnusable(values: Float64Array): boolean {
  return !values.every(Number.isFinite) || values.every((value) => value === values[0]);
}

function centred(values: Float64Array): Float64Array {
  const mean = numpyMean(values);
  return values.map((value) => value - mean);
}

/** Scaled by the largest value first, so that squares of huge values do not overflow. */
function norm(values: Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest * Math.sqrt(numpySum(values.map((value) => (value / largest) * (value / largest))));
}
