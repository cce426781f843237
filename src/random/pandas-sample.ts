import { choiceWithoutReplacement, randomState } from "./numpy-legacy.ts";

/** How many rows to take; a fraction is rounded half to even, as Python's `round` does. */
export type SampleSize = { readonly count: number } | { readonly fraction: number };

/** pandas' `sample` with an integer seed, no weights, no replacement: row positions in the order drawn. Null if too many are asked for. */
export function pandasSample(rows: number, size: SampleSize, seed: number): Uint32Array | null {
  const taken = "count" in size ? size.count : roundHalfEven(size.fraction * rows);
  if (taken > rows) return null;
  return choiceWithoutReplacement(randomState(seed), rows, taken);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1;
}
