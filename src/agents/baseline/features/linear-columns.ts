import { measureScaling, type Scaling } from "../../../learning/features/standardise.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";
import type { Category } from "./features.ts";

/** How numbers and categories become the columns of linear models; measured on the training rows. */
export interface LinearLayout {
  readonly columns: number;
  describe(numbers: DenseMatrix, categories: readonly Category[]): DenseMatrix;
}

const LIMIT_IN_DEVIATIONS = 6;
const MAX_INDICATORS = 600;
const MIN_PER_CATEGORY = 4;

/**
 * Scaled numbers, logarithms of skewed ones, flags of missing ones, and indicators of categories, the most frequent
 * first. Where `mostColumns` are too few for all of it, indicators go first, then logarithms, then all.
 */
export function linearLayout(
  numbers: DenseMatrix,
  categories: readonly Category[],
  { withLogarithms, mostColumns }: { withLogarithms: boolean; mostColumns: number },
): LinearLayout {
  const scaling = measureScaling(numbers);
  const plainColumns = numbers.columns + scaling.incomplete.length;
  if (plainColumns > mostColumns) return { columns: 0, describe: ({ rows }) => emptyMatrix(rows) };
  const found = withLogarithms ? skewedColumns(numbers) : [];
  const skewed = plainColumns + found.length > mostColumns ? [] : found;
  const logarithms = measureScaling(logarithmsOf(numbers, skewed));
  const room = Math.min(MAX_INDICATORS, mostColumns - plainColumns - skewed.length);
  const frequent = frequentCategories(categories, room);
  const places = categories.map(() => new Map<number, number>());
  for (const [place, { category, code }] of frequent.entries()) places[category].set(code, place);
  const columns = plainColumns + skewed.length + frequent.length;
  return {
    columns,
    describe(own, ownCategories) {
      const { rows, columns: width, values } = own;
      const result = new Float64Array(rows * columns);
      for (let row = 0; row < rows; row++) {
        let to = row * columns;
        for (let j = 0; j < width; j++) result[to++] = scaled(values[row * width + j], scaling, j);
        for (const [j, column] of skewed.entries())
          result[to++] = scaled(logarithm(values[row * width + column]), logarithms, j);
        for (const column of scaling.incomplete)
          result[to++] = Number.isFinite(values[row * width + column]) ? 0 : 1;
        for (const [i, { codes }] of ownCategories.entries()) {
          const place = places[i].get(codes[row]);
          if (place !== undefined) result[to + place] = 1;
        }
      }
      return { rows, columns, values: result };
    },
  };
}

function emptyMatrix(rows: number): DenseMatrix {
  return { rows, columns: 0, values: new Float64Array(0) };
}

/** What is missing is average. */
function scaled(value: number, { means, deviations }: Scaling, column: number): number {
  if (!Number.isFinite(value)) return 0;
  const deviation = (value - means[column]) / deviations[column];
  return Math.max(-LIMIT_IN_DEVIATIONS, Math.min(LIMIT_IN_DEVIATIONS, deviation));
}

/** Test rows may be negative where no training row is. */
function logarithm(value: number): number {
  return Math.log1p(Math.max(0, value));
}

function logarithmsOf({ rows, columns, values }: DenseMatrix, chosen: readonly number[]): DenseMatrix {
  const result = new Float64Array(rows * chosen.length);
  for (let row = 0; row < rows; row++)
    for (const [i, column] of chosen.entries())
      result[row * chosen.length + i] = logarithm(values[row * columns + column]);
  return { rows, columns: chosen.length, values: result };
}

/** Columns without negative numbers whose largest is far above their mean. */
function skewedColumns({ columns, values }: DenseMatrix): number[] {
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
  return skewed;
}

function frequentCategories(categories: readonly Category[], most: number) {
  return categories
    .flatMap(({ counts }, category) => {
      const rows = counts.reduce((sum, count) => sum + count, 0);
      return Array.from(counts, (occurrences, code) => ({ category, code, occurrences, rows }));
    })
    .filter(({ occurrences, rows }) => occurrences >= MIN_PER_CATEGORY && occurrences < rows)
    .sort((a, b) => b.occurrences - a.occurrences || a.category - b.category || a.code - b.code)
    .slice(0, most);
}
