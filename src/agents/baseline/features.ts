import { measureScaling, standardise } from "../../learning/features/standardise.ts";
import { type DenseMatrix, joinColumns, type SparseMatrix } from "../../learning/matrix.ts";
import type { ImageShape } from "../../learning/networks/convolution-layer.ts";

export interface Category {
  readonly name: string;
  /** One code a row, training rows first. */
  readonly codes: Int32Array;
  readonly count: number;
}

/** What is known of each row before any target is looked at; training rows first, test rows after them. */
export interface Features {
  readonly rows: number;
  /** For trees: plain numbers, NaN where missing. */
  readonly numbers: DenseMatrix;
  readonly categories: readonly Category[];
  /** For linear models, neighbours and networks: scaled numbers and one column for each frequent category. */
  readonly linear: DenseMatrix;
  /** Weighted n-grams of the texts. */
  readonly texts: SparseMatrix | null;
  readonly pictures: { readonly shape: ImageShape; readonly pixels: DenseMatrix } | null;
}

const LIMIT_IN_DEVIATIONS = 6;
const MOST_INDICATORS = 600;
const FEWEST_OF_A_CATEGORY = 4;

/** Scaled numbers, logarithms of skewed ones, and indicators of categories, the most frequent first. */
export function linearColumns(
  numbers: DenseMatrix,
  categories: readonly Category[],
  withLogarithms = true,
): DenseMatrix {
  const widened = withLogarithms ? joinColumns([numbers, logarithms(numbers)]) : numbers;
  const scaled = standardise(widened, measureScaling(widened), LIMIT_IN_DEVIATIONS);
  return joinColumns([scaled, indicators(numbers.rows, categories)]);
}

function logarithms({ rows, columns, values }: DenseMatrix): DenseMatrix {
  const skewed: number[] = [];
  for (let column = 0; column < columns; column++) {
    let [low, high, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
    for (let at = column; at < values.length; at += columns) {
      const value = values[at];
      if (Number.isNaN(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
      sum += value;
      count++;
    }
    if (count > 0 && low >= 0 && high > 4 * (sum / count)) skewed.push(column);
  }
  const result = new Float64Array(rows * skewed.length);
  for (let row = 0; row < rows; row++)
    for (const [i, column] of skewed.entries())
      result[row * skewed.length + i] = Math.log1p(values[row * columns + column]);
  return { rows, columns: skewed.length, values: result };
}

function indicators(rows: number, categories: readonly Category[]): DenseMatrix {
  const frequent = categories
    .flatMap(({ codes, count }, category) => {
      const counts = new Float64Array(count);
      for (const code of codes) counts[code]++;
      return Array.from(counts, (occurrences, code) => ({ category, code, occurrences }));
    })
    .filter(({ occurrences }) => occurrences >= FEWEST_OF_A_CATEGORY && occurrences < rows)
    .sort((a, b) => b.occurrences - a.occurrences || a.category - b.category || a.code - b.code)
    .slice(0, MOST_INDICATORS);
  const places = categories.map(() => new Map<number, number>());
  for (const [place, { category, code }] of frequent.entries()) places[category].set(code, place);
  const values = new Float64Array(rows * frequent.length);
  for (const [category, { codes }] of categories.entries())
    for (let row = 0; row < rows; row++) {
      const place = places[category].get(codes[row]);
      if (place !== undefined) values[row * frequent.length + place] = 1;
    }
  return { rows, columns: frequent.length, values };
}
