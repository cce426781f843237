/**
 * The number of pairs that stand in the wrong order, by merge sort. Equal values are not an inversion; the input is left
 * as it is.
 */
export function countInversions(ranks: Int32Array): number {
  let from = ranks.slice();
  let to = new Int32Array(ranks.length);
  let inversions = 0;
  for (let width = 1; width < ranks.length; width *= 2) {
    for (let start = 0; start < ranks.length; start += 2 * width) {
      const middle = Math.min(start + width, ranks.length);
      const end = Math.min(start + 2 * width, ranks.length);
      inversions += merge(from, to, start, middle, end);
    }
    [from, to] = [to, from];
  }
  return inversions;
}

function merge(from: Int32Array, to: Int32Array, start: number, middle: number, end: number): number {
  let left = start;
  let right = middle;
  let inversions = 0;
  for (let slot = start; slot < end; slot++) {
    if (right === end || (left < middle && from[left] <= from[right])) {
      to[slot] = from[left++];
    } else {
      to[slot] = from[right++];
      inversions += middle - left;
    }
  }
  return inversions;
}
