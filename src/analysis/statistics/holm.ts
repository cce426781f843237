/**
 * Holm's correction: the smallest of m p-values is multiplied by m, the next by m − 1, and so on, never falling. Holding
 * these against 0.05 finds a difference that is not there in at most 5 % of all such sets of comparisons.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b]);
  const adjusted = new Array<number>(pValues.length);
  let floor = 0;
  order.forEach((index, rank) => {
    floor = Math.max(floor, Math.min(1, pValues[index] * (pValues.length - rank)));
    adjusted[index] = floor;
  });
  return adjusted;
}
