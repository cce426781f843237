import type { Neighbours } from "./nearest.ts";

export type NeighbourWeight = "equal" | "inverse-distance";

/** A neighbour at distance 0 would otherwise silence all others. */
const NEAREST = 1e-9;

/** The mean target of each query's neighbours. */
export function neighbourMeans(
  neighbours: Neighbours,
  target: Float64Array,
  weight: NeighbourWeight,
): Float64Array {
  return gather(neighbours, 1, weight, (position) => ({ output: 0, value: target[position] }));
}

/** The share of each class among the neighbours, one class after another. */
export function neighbourShares(
  neighbours: Neighbours,
  target: ArrayLike<number>,
  classes: number,
  weight: NeighbourWeight,
): Float64Array {
  return gather(neighbours, classes, weight, (position) => ({ output: target[position], value: 1 }));
}

function gather(
  { k, positions, distances }: Neighbours,
  outputs: number,
  weight: NeighbourWeight,
  vote: (position: number) => { output: number; value: number },
): Float64Array {
  const rows = k === 0 ? 0 : positions.length / k;
  const result = new Float64Array(rows * outputs);
  for (let row = 0; row < rows; row++) {
    let total = 0;
    for (let at = row * k; at < (row + 1) * k; at++) {
      const mass = weight === "equal" ? 1 : 1 / (distances[at] + NEAREST);
      const { output, value } = vote(positions[at]);
      result[output * rows + row] += mass * value;
      total += mass;
    }
    for (let output = 0; output < outputs; output++) result[output * rows + row] /= total;
  }
  return result;
}
