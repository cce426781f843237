/** Keeps predictions inside a range; NaN becomes `otherwise`. */
export function clip(prediction: Float64Array, low: number, high: number, otherwise: number): Float64Array {
  return prediction.map((value) => (Number.isNaN(value) ? otherwise : Math.min(high, Math.max(low, value))));
}

/** The range of the targets seen: a mean of targets cannot lie outside, an extrapolating model can. */
export function seenRange(target: Float64Array): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < target.length; i++) {
    if (target[i] < low) low = target[i];
    if (target[i] > high) high = target[i];
  }
  return { low, high };
}
