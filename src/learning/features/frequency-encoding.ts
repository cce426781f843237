/** The share of rows that each category has. */
export function categoryFrequencies(codes: ArrayLike<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let row = 0; row < codes.length; row++) counts.set(codes[row], (counts.get(codes[row]) ?? 0) + 1);
  return new Map([...counts].map(([code, count]) => [code, count / codes.length]));
}

/** Each row's category frequency; 0 for a category never seen. */
export function encodeFrequencies(
  codes: ArrayLike<number>,
  frequencies: ReadonlyMap<number, number>,
): Float64Array {
  return Float64Array.from({ length: codes.length }, (_, row) => frequencies.get(codes[row]) ?? 0);
}
