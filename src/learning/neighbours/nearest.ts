import { createMultiply } from "../algebra/multiply.ts";
import type { DenseMatrix } from "../matrix.ts";

export interface NeighbourOptions {
  readonly k: number;
  readonly distance: "euclidean" | "cosine";
  /** Each query row is a row of `known`, the one at its position, and must not find itself. */
  readonly excludeSelf?: boolean;
}

/** For each query its k nearest known rows, nearest first: rows × k positions and distances. */
export interface Neighbours {
  readonly k: number;
  readonly positions: Int32Array;
  readonly distances: Float64Array;
}

const QUERY_BLOCK = 256;
const KNOWN_BLOCK = 2048;
const SPARE = 8;

/**
 * Exhaustive search in blocks. 32-bit products choose a few candidates too many, 64-bit distances put them in order;
 * equal distances are ordered by position. Missing values are not allowed.
 */
export function nearestNeighbours(
  known: DenseMatrix,
  queries: DenseMatrix,
  options: NeighbourOptions,
): Neighbours {
  const k = Math.min(options.k, known.rows - (options.excludeSelf ? 1 : 0));
  const kept = Math.min(known.rows, k + SPARE + (options.excludeSelf ? 1 : 0));
  const multiply = createMultiply();
  const centre = options.distance === "euclidean" ? columnMeans(known) : new Float64Array(known.columns);
  const { columns } = known;
  const knownPoints = prepare(known, centre, options.distance);
  const queryPoints = prepare(queries, centre, options.distance);
  const products = new Float32Array(QUERY_BLOCK * KNOWN_BLOCK);
  const positions = new Int32Array(queries.rows * k);
  const distances = new Float64Array(queries.rows * k);
  for (let from = 0; from < queries.rows; from += QUERY_BLOCK) {
    const m = Math.min(QUERY_BLOCK, queries.rows - from);
    const a = { values: queryPoints.values.subarray(from * columns, (from + m) * columns) };
    const best = Array.from({ length: m }, () => candidateList(kept));
    for (let first = 0; first < known.rows; first += KNOWN_BLOCK) {
      const n = Math.min(KNOWN_BLOCK, known.rows - first);
      const b = {
        values: knownPoints.values.subarray(first * columns, (first + n) * columns),
        transposed: true,
      };
      multiply(a, b, products, { m, k: columns, n });
      for (let i = 0; i < m; i++) {
        const { offer } = best[i];
        for (let j = 0; j < n; j++) offer(knownPoints.norms[first + j] - 2 * products[i * n + j], first + j);
      }
    }
    for (let i = 0; i < m; i++) {
      const query = from + i;
      const candidates = best[i]
        .positions()
        .filter((position) => !(options.excludeSelf && position === query));
      const exact = candidates.map((position) => ({
        position,
        distance: between(known, position, queries, query),
      }));
      exact.sort((one, other) => one.distance - other.distance || one.position - other.position);
      for (let j = 0; j < k; j++) {
        positions[query * k + j] = exact[j].position;
        distances[query * k + j] = exact[j].distance;
      }
    }
  }
  return { k, positions, distances };

  function between(a: DenseMatrix, rowA: number, b: DenseMatrix, rowB: number): number {
    return options.distance === "euclidean" ? euclidean(a, rowA, b, rowB) : cosine(a, rowA, b, rowB);
  }
}

/** Keeps the smallest of the values offered, in ascending order. */
function candidateList(size: number) {
  const values = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const found = new Int32Array(size).fill(-1);
  return {
    offer(value: number, position: number): void {
      if (value >= values[size - 1]) return;
      let at = size - 1;
      for (; at > 0 && values[at - 1] > value; at--) {
        values[at] = values[at - 1];
        found[at] = found[at - 1];
      }
      values[at] = value;
      found[at] = position;
    },
    positions: () => [...found].filter((position) => position >= 0),
  };
}

/** Centred (euclidean: less is lost to cancellation) or of length 1 (cosine), with the squares of the lengths. */
function prepare(matrix: DenseMatrix, centre: Float64Array, distance: NeighbourOptions["distance"]) {
  const { rows, columns } = matrix;
  const values = new Float32Array(rows * columns);
  const norms = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const at = row * columns;
    let square = 0;
    for (let j = 0; j < columns; j++) {
      const value = matrix.values[at + j] - centre[j];
      values[at + j] = value;
      square += value * value;
    }
    if (distance === "cosine" && square > 0) {
      const length = Math.sqrt(square);
      for (let j = 0; j < columns; j++) values[at + j] /= length;
      square = 1;
    }
    norms[row] = distance === "cosine" ? 0 : square;
  }
  return { values, norms };
}

function columnMeans({ rows, columns, values }: DenseMatrix): Float64Array {
  const means = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < columns; j++) means[j] += values[row * columns + j] / rows;
  }
  return means;
}

function euclidean(a: DenseMatrix, rowA: number, b: DenseMatrix, rowB: number): number {
  let sum = 0;
  for (let j = 0; j < a.columns; j++) {
    sum += (a.values[rowA * a.columns + j] - b.values[rowB * a.columns + j]) ** 2;
  }
  return Math.sqrt(sum);
}

/** 1 − cosine; a row of zeros is at distance 1 from everything. */
function cosine(a: DenseMatrix, rowA: number, b: DenseMatrix, rowB: number): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let j = 0; j < a.columns; j++) {
    const [x, y] = [a.values[rowA * a.columns + j], b.values[rowB * a.columns + j]];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return product === 0 ? 1 : 1 - product / Math.sqrt(squareA * squareB);
}
