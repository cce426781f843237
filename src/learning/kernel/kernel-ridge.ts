import { createMultiply, type Multiply } from "../algebra/multiply.ts";
import type { DenseMatrix } from "../matrix.ts";

export interface KernelRidgeOptions {
  /** Added to the kernel's diagonal. */
  readonly l2: number;
  /** Of the distance at which two rows still have to do with each other, as a multiple of the usual one. */
  readonly reach: number;
  readonly iterations?: number;
  /** Asked before each iteration; what was learned until then is kept. */
  readonly shouldStop?: () => boolean;
}

export interface KernelRidge {
  readonly known: DenseMatrix;
  /** Of the squared distance. */
  readonly rate: number;
  readonly outputs: number;
  /** For each known row, the outputs side by side. */
  readonly weights: Float32Array;
  readonly means: Float64Array;
}

const PREDICTED_AT_ONCE = 256;
const CLOSE = 1e-3;
const SAMPLED = 200;

/**
 * Regression with a Gaussian kernel, all outputs together: what support vectors do, with squared loss. Rows should be
 * scaled; the reach is measured in the median distance of some of them. Memory is 4 bytes for each pair of rows.
 */
export function fitKernelRidge(
  known: DenseMatrix,
  target: Float64Array,
  options: KernelRidgeOptions,
): KernelRidge {
  const { rows } = known;
  const outputs = target.length / rows;
  const rate = 1 / (2 * (options.reach * medianDistance(known)) ** 2);
  const multiply = createMultiply();
  const kernel = new Float32Array(rows * rows);
  for (let from = 0; from < rows; from += PREDICTED_AT_ONCE) {
    const count = Math.min(PREDICTED_AT_ONCE, rows - from);
    kernel.set(kernelRows(rowsOf(known, from, count), known, rate, multiply), from * rows);
  }
  for (let row = 0; row < rows; row++) kernel[row * rows + row] += options.l2;
  const means = Float64Array.from({ length: outputs }, (_, k) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += target[k * rows + row];
    return sum / rows;
  });
  const wanted = new Float32Array(rows * outputs);
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < outputs; k++) wanted[row * outputs + k] = target[k * rows + row] - means[k];
  const weights = solveTogether(kernel, wanted, rows, outputs, multiply, options);
  return { known, rate, outputs, weights, means };
}

/** Predictions, one output after another. */
export function predictKernelRidge(model: KernelRidge, asked: DenseMatrix): Float64Array {
  const { known, rate, outputs, weights, means } = model;
  const multiply = createMultiply();
  const result = new Float64Array(asked.rows * outputs);
  for (let from = 0; from < asked.rows; from += PREDICTED_AT_ONCE) {
    const count = Math.min(PREDICTED_AT_ONCE, asked.rows - from);
    const near = kernelRows(rowsOf(asked, from, count), known, rate, multiply);
    const own = new Float32Array(count * outputs);
    multiply({ values: near }, { values: weights }, own, { m: count, k: known.rows, n: outputs });
    for (let i = 0; i < count; i++)
      for (let k = 0; k < outputs; k++) result[k * asked.rows + from + i] = own[i * outputs + k] + means[k];
  }
  return result;
}

/** Conjugate gradients, each output with steps of its own, sharing the one product that takes the time. */
function solveTogether(
  kernel: Float32Array,
  wanted: Float32Array,
  rows: number,
  outputs: number,
  multiply: Multiply,
  { iterations = 60, shouldStop }: KernelRidgeOptions,
): Float32Array {
  const solution = new Float32Array(wanted.length);
  const residual = wanted.slice();
  const direction = wanted.slice();
  const applied = new Float32Array(wanted.length);
  let norms = columnDots(residual, residual, outputs);
  const goals = norms.map((norm) => norm * CLOSE * CLOSE);
  for (let step = 0; step < iterations && !shouldStop?.(); step++) {
    if (norms.every((norm, k) => norm <= goals[k])) break;
    multiply({ values: kernel }, { values: direction }, applied, { m: rows, k: rows, n: outputs });
    const curvatures = columnDots(direction, applied, outputs);
    const lengths = norms.map((norm, k) => (norm > goals[k] && curvatures[k] > 0 ? norm / curvatures[k] : 0));
    for (let i = 0; i < wanted.length; i++) {
      solution[i] += lengths[i % outputs] * direction[i];
      residual[i] -= lengths[i % outputs] * applied[i];
    }
    const next = columnDots(residual, residual, outputs);
    const turns = next.map((norm, k) => (norms[k] > 0 ? norm / norms[k] : 0));
    for (let i = 0; i < wanted.length; i++) direction[i] = residual[i] + turns[i % outputs] * direction[i];
    norms = next;
  }
  return solution;
}

function columnDots(a: Float32Array, b: Float32Array, outputs: number): Float64Array {
  const sums = new Float64Array(outputs);
  for (let i = 0; i < a.length; i++) sums[i % outputs] += a[i] * b[i];
  return sums;
}

/** exp(−rate · squared distance) of some rows to all known ones. */
function kernelRows(some: DenseMatrix, known: DenseMatrix, rate: number, multiply: Multiply): Float32Array {
  const { columns } = known;
  const out = new Float32Array(some.rows * known.rows);
  const [a, b] = [floats(some), floats(known)];
  multiply({ values: a }, { values: b, transposed: true }, out, { m: some.rows, k: columns, n: known.rows });
  const [own, others] = [squares(a, columns), squares(b, columns)];
  for (let row = 0; row < some.rows; row++)
    for (let other = 0; other < known.rows; other++) {
      const at = row * known.rows + other;
      out[at] = Math.exp(-rate * Math.max(0, own[row] + others[other] - 2 * out[at]));
    }
  return out;
}

/** The median distance between rows that lie evenly spread. */
function medianDistance(matrix: DenseMatrix): number {
  const step = Math.max(1, Math.floor(matrix.rows / SAMPLED));
  const { columns, values } = matrix;
  const distances: number[] = [];
  for (let a = 0; a < matrix.rows; a += step)
    for (let b = 0; b < a; b += step) {
      let sum = 0;
      for (let j = 0; j < columns; j++) sum += (values[a * columns + j] - values[b * columns + j]) ** 2;
      distances.push(sum);
    }
  distances.sort((a, b) => a - b);
  return Math.sqrt(distances[distances.length >> 1] ?? 1) || 1;
}

function rowsOf({ columns, values }: DenseMatrix, from: number, count: number): DenseMatrix {
  return { rows: count, columns, values: values.subarray(from * columns, (from + count) * columns) };
}

function floats({ values }: DenseMatrix): Float32Array {
  return values instanceof Float32Array ? values : Float32Array.from(values);
}

function squares(values: Float32Array, columns: number): Float64Array {
  const sums = new Float64Array(values.length / columns);
  for (let row = 0; row < sums.length; row++)
    for (let j = 0; j < columns; j++) sums[row] += values[row * columns + j] ** 2;
  return sums;
}
