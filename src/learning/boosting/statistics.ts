import type { Arena } from "./arena.ts";
import { Job } from "./feature-work.ts";

const LARGEST = 2 ** 31 - 2;

/**
 * Writes each row's gradient and hessian as whole numbers in units that make every sum fit into 64 bits. The second
 * number counts the rows in its top bits, so that one addition keeps sum and count. Sums of whole numbers are exact
 * and the same in any order; the rounding, half of 2^-31 of the largest gradient, is below that of 32-bit floats.
 */
export function writeStatistics(
  { memory, layout }: Arena,
  gradient: Float64Array,
  /** Null: 1 everywhere. */
  hessian: Float64Array | null,
  weights: Float64Array | null,
): void {
  const rows = layout.rowCount;
  const words = new Int32Array(memory.buffer, layout.statistics, rows * 4);
  const job = new Float64Array(memory.buffer, layout.job, 32);
  if (weights) for (let i = 0; i < rows; i++) gradient[i] *= weights[i];
  if (weights && hessian) for (let i = 0; i < rows; i++) hessian[i] *= weights[i];
  const mass = hessian ?? weights;
  const countBits = Math.ceil(Math.log2(rows + 1));
  const perGradient = LARGEST / (largest(gradient) || 1);
  const perHessian =
    Math.floor(Math.min(LARGEST, 2 ** (63 - countBits) / rows)) / (mass ? largest(mass) || 1 : 1);
  job[Job.gradientUnit] = 1 / perGradient;
  job[Job.hessianUnit] = 1 / perHessian;
  job[Job.countShift] = 32 - countBits;
  const one = 1 << (32 - countBits);
  for (let i = 0; i < rows; i++) {
    // Rounding this way is one instruction; Math.round is a dozen.
    const whole = Math.floor(gradient[i] * perGradient + 0.5) | 0;
    words[4 * i] = whole;
    words[4 * i + 1] = whole >> 31;
    words[4 * i + 2] = mass ? Math.floor(mass[i] * perHessian) | 0 : perHessian | 0;
    words[4 * i + 3] = one;
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > most) most = size;
  }
  return most;
}
