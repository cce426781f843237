import type { DenseMatrix } from "../../learning/matrix.ts";
import { randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import type { Draw } from "../making/draw.ts";
import type { View } from "../making/method.ts";

/** A random part of a view's columns; the whole view for a share of 1. */
export function columnSubset(view: View<DenseMatrix>, share: number, draw: Draw): View<DenseMatrix> {
  if (share >= 1) return view;
  const seed = draw.seed();
  const part = (matrix: DenseMatrix): DenseMatrix => {
    const size = Math.max(1, Math.round(share * matrix.columns));
    const chosen = randomSubset(matrix.columns, size, seededRandom(seed));
    const values = new Float64Array(matrix.rows * size);
    for (let row = 0; row < matrix.rows; row++)
      for (let j = 0; j < size; j++) values[row * size + j] = matrix.values[row * matrix.columns + chosen[j]];
    return { rows: matrix.rows, columns: size, values };
  };
  return {
    name: `${Math.round(100 * share)} % of the columns (draw ${seed % 1000}) of ${view.name}`,
    of(train, asked) {
      const seen = view.of(train, asked);
      return { train: part(seen.train), asked: part(seen.asked) };
    },
  };
}
