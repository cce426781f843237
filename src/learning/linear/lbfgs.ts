/** Gives the value at `x` and writes the gradient there. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

export interface MinimiseOptions {
  readonly iterations?: number;
  /** Ends when no component of the gradient is larger. */
  readonly tolerance?: number;
}

interface Correction {
  readonly step: Float64Array;
  readonly change: Float64Array;
  readonly inverse: number;
}

const MEMORY = 10;
const SUFFICIENT_DECREASE = 1e-4;
const SHORTEST = 1e-10;

/** Limited-memory BFGS for smooth convex functions, by Nocedal's two loops; moves `x` to the minimum. */
export function minimise(objective: Objective, x: Float64Array, options: MinimiseOptions = {}): void {
  const { iterations = 100, tolerance = 1e-6 } = options;
  const corrections: Correction[] = [];
  let gradient = new Float64Array(x.length);
  let value = objective(x, gradient);
  for (let iteration = 0; iteration < iterations; iteration++) {
    if (largest(gradient) <= tolerance) return;
    const direction = descent(gradient, corrections);
    const slope = dot(direction, gradient);
    if (!(slope < 0)) return;
    // Without curvature known yet, a step as long as the gradient could leave the region where floats are finite.
    let length = corrections.length === 0 ? Math.min(1, 1 / norm(gradient)) : 1;
    const next = new Float64Array(x.length);
    const nextGradient = new Float64Array(x.length);
    let nextValue = Number.NaN;
    for (; length > SHORTEST; length /= 2) {
      for (let i = 0; i < x.length; i++) next[i] = x[i] + length * direction[i];
      nextValue = objective(next, nextGradient);
      if (nextValue <= value + SUFFICIENT_DECREASE * length * slope) break;
    }
    if (length <= SHORTEST) return;
    remember(corrections, x, next, gradient, nextGradient);
    x.set(next);
    [value, gradient] = [nextValue, nextGradient];
  }
}

function descent(gradient: Float64Array, corrections: readonly Correction[]): Float64Array {
  const direction = gradient.map((value) => -value);
  const factors: number[] = [];
  for (const { step, change, inverse } of corrections.toReversed()) {
    const factor = inverse * dot(step, direction);
    factors.push(factor);
    addScaled(direction, change, -factor);
  }
  const newest = corrections.at(-1);
  if (newest) {
    const scale = 1 / (newest.inverse * dot(newest.change, newest.change));
    for (let i = 0; i < direction.length; i++) direction[i] *= scale;
  }
  for (const { step, change, inverse } of corrections) {
    addScaled(direction, step, (factors.pop() ?? 0) - inverse * dot(change, direction));
  }
  return direction;
}

/** A correction without positive curvature would spoil the estimate: it is left out. */
function remember(
  corrections: Correction[],
  x: Float64Array,
  next: Float64Array,
  gradient: Float64Array,
  nextGradient: Float64Array,
): void {
  const step = next.map((value, i) => value - x[i]);
  const change = nextGradient.map((value, i) => value - gradient[i]);
  const curvature = dot(step, change);
  if (!(curvature > 1e-14 * dot(change, change))) return;
  corrections.push({ step, change, inverse: 1 / curvature });
  if (corrections.length > MEMORY) corrections.shift();
}

function addScaled(target: Float64Array, values: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] += factor * values[i];
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function norm(values: Float64Array): number {
  return Math.sqrt(dot(values, values));
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}
