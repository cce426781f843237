/**
 * Average precision of the first k entries of a ranked list. Repeated, unknown and empty entries take up a rank and
 * never score; an empty truth gives 0.
 */
export function averagePrecisionAtK(
  actual: ReadonlySet<string>,
  predicted: readonly string[],
  k: number,
): number {
  if (actual.size === 0) return 0;
  const found = new Set<string>();
  let sum = 0;
  for (let rank = 0; rank < Math.min(predicted.length, k); rank++) {
    const entry = predicted[rank];
    if (!actual.has(entry) || found.has(entry)) continue;
    found.add(entry);
    sum += found.size / (rank + 1);
  }
  return sum / Math.min(actual.size, k);
}
