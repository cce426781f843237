import { type Arena, ROOM } from "./arena.ts";
import { Job } from "./feature-work.ts";

const WORD = 2 ** 32;
const LARGEST_HESSIAN = 2 ** 31 - 2;
const LARGEST_GRADIENT = 2 ** 52;

/**
 * Writes each row's gradient and hessian as whole numbers in units that make every sum fit into 64 bits. The second
 * number counts the rows in its top bits, so that one addition keeps sum and count. Sums of whole numbers are exact
 * and the same in any order. The units leave at least 38 bits for the largest gradient and 15 for the largest hessian,
 * in the worst case of 2^24 rows; with a hundred thousand rows it is 45 and 29.
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
  const job = new Float64Array(memory.buffer, layout.job, ROOM.job);
  if (weights) for (let i = 0; i < rows; i++) gradient[i] *= weights[i];
  if (weights && hessian) for (let i = 0; i < rows; i++) hessian[i] *= weights[i];
  const mass = hessian ?? weights;
  const countBits = Math.ceil(Math.log2(rows + 1));
  const perGradient = Math.min(LARGEST_GRADIENT, 2 ** (62 - countBits)) / (largest(gradient) || 1);
  const perHessian =
    Math.floor(Math.min(LARGEST_HESSIAN, 2 ** (63 - countBits) / rows)) / (mass ? largest(mass) || 1 : 1);
  job[Job.gradientUnit] = 1 / perGradient;
  job[Job.hessianUnit] = 1 / perHessian;
  job[Job.countShift] = 32 - countBits;
  const one = 1 << (32 - countBits);
  for (let i = 0; i < rows; i++) {
    // Rounding this way is one instruction; Math.round is a dozen.
    const whole = Math.floor(gradient[i] * perGradient + 0.5);
    const high = Math.floor(whole / WORD);
    words[4 * i] = (whole - high * WORD) | 0;
    words[4 * i + 1] = high | 0;
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
