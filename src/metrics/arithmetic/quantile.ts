/** numpy's linear quantile; from the middle of a gap on it measures back from the upper neighbour. NaN if any value is. */
export function quantile(values: Float64Array, share: number): number {
  if (values.length === 0 || values.some(Number.isNaN)) return Number.NaN;
  const sorted = values.toSorted();
  const place = (sorted.length - 1) * share;
  const index = Math.floor(place);
  const rest = place - index;
  const lower = sorted[index];
  const upper = sorted[Math.min(index + 1, sorted.length - 1)];
  return rest < 0.5 ? lower + (upper - lower) * rest : upper - (upper - lower) * (1 - rest);
}
