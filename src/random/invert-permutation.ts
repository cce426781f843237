const DONE = 0x80000000;

/**
 * Turns a permutation into its inverse within the same memory, by walking each of its cycles once. The top bit marks what is done, so
 * that no second array is needed; there may be at most 2^31 items.
 */
export function invertPermutation(order: Uint32Array): void {
  for (let start = 0; start < order.length; start++) {
    let from = start;
    let at = order[start];
    while (at < DONE) {
      const next = order[at];
      order[at] = (from | DONE) >>> 0;
      from = at;
      at = next;
    }
  }
  for (let i = 0; i < order.length; i++) order[i] &= ~DONE;
}
