/** Indices by score, highest first; equal scores keep their order and NaN comes last. */
export function descendingOrder(scores: ArrayLike<number>): number[] {
  const order = Array.from(scores, (_, index) => index);
  return order.sort((a, b) => {
    if (scores[a] === scores[b]) return 0;
    if (Number.isNaN(scores[a])) return Number.isNaN(scores[b]) ? 0 : 1;
    return Number.isNaN(scores[b]) || scores[a] > scores[b] ? -1 : 1;
  });
}
