import type { SparseMatrix } from "../matrix.ts";
import { seededRandom, shuffledOrder } from "../seeded-random.ts";
import { assembleLabelLoops, LABEL_PANEL } from "./label-loops.ts";

export interface LabelSetOptions {
  /** Of the penalty l2 / 2 · |weights|² on the sum of the losses, as for `fitLogistic`. */
  readonly l2: number;
  readonly epochs: number;
  readonly seed: number;
  /** Asked before each epoch; what was learned until then is kept. */
  readonly shouldStop?: () => boolean;
}

/** A yes-or-no model for each label; the weights of one column lie side by side. */
export interface LabelSetModel {
  readonly labels: number;
  readonly columns: number;
  /** Labels, filled up to whole panels. */
  readonly width: number;
  /** Of each column, then of the constant. */
  readonly weights: Float32Array;
}

/** The constant's value: a large one makes its weight cheap, so that rare labels may start far below zero. */
const CONSTANT = 2;
const PAGE = 65536;
const FIRST = 64;
const NEWTON_STEPS = 12;
const CLOSE = 1e-4;

/**
 * Logistic regression for many labels at once, by dual coordinate ascent (Shalev-Shwartz and Zhang): each row in turn
 * moves the weights to where they are best for it, all labels of the row together. `target` is 0 or 1, one label after
 * another.
 */
export function fitLabelSet(
  matrix: SparseMatrix,
  target: ArrayLike<number>,
  { l2, epochs, seed, shouldStop }: LabelSetOptions,
): LabelSetModel {
  const { rows, columns } = matrix;
  const labels = target.length / rows;
  const width = LABEL_PANEL * Math.ceil(labels / LABEL_PANEL);
  const machine = createMachine(matrix, width);
  const { weights, scores, steps } = machine;
  const duals = new Float32Array(rows * labels);
  const random = seededRandom(seed);
  for (let epoch = 0; epoch < epochs && !shouldStop?.(); epoch++) {
    for (const row of shuffledOrder(rows, random)) {
      machine.score(row);
      const curvature = machine.squares[row] / l2;
      for (let label = 0; label < labels; label++) {
        const at = row * labels + label;
        const truth = target[label * rows + row];
        const step = bestStep(scores[label], truth, duals[at], curvature);
        duals[at] += step;
        steps[label] = step / l2;
      }
      machine.move(row);
    }
  }
  return { labels, columns, width, weights: weights.slice() };
}

/** Probabilities, one label after another. */
export function predictLabelSet(model: LabelSetModel, matrix: SparseMatrix): Float64Array {
  const { labels, width } = model;
  const machine = createMachine(matrix, width, model.weights);
  const result = new Float64Array(matrix.rows * labels);
  for (let row = 0; row < matrix.rows; row++) {
    machine.score(row);
    for (let label = 0; label < labels; label++)
      result[label * matrix.rows + row] = 1 / (1 + Math.exp(-machine.scores[label]));
  }
  return result;
}

/**
 * How far to move a row's dual: it should end as truth less probability, which falls while it grows. Newton's steps,
 * kept between the ends between which the answer must lie.
 */
function bestStep(score: number, truth: number, dual: number, curvature: number): number {
  let [low, high] = truth === 1 ? [-dual, 1 - dual] : [-1 - dual, -dual];
  let step = 0;
  for (let i = 0; i < NEWTON_STEPS; i++) {
    const chance = 1 / (1 + Math.exp(-score - step * curvature));
    const rest = truth - chance - dual - step;
    if (Math.abs(rest) < CLOSE) break;
    if (rest > 0) low = step;
    else high = step;
    step += rest / (1 + curvature * chance * (1 - chance));
    if (!(step > low && step < high)) step = (low + high) / 2;
  }
  return step;
}

/** The rows and the weights in one memory, where the loops work on them. */
function createMachine(matrix: SparseMatrix, width: number, known?: Float32Array) {
  const { rows, columns, starts, indices, values } = matrix;
  const entries = indices.length + rows;
  const entriesAt = FIRST;
  const weightsAt = entriesAt + 2 * entries + (entries % 2 === 0 ? 0 : 2);
  const scoresAt = weightsAt + (columns + 1) * width;
  const stepsAt = scoresAt + width;
  const pages = Math.ceil((4 * (stepsAt + width)) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const floats = new Float32Array(memory.buffer);
  const words = new Int32Array(memory.buffer);
  const squares = new Float64Array(rows);
  let at = entriesAt;
  for (let row = 0; row < rows; row++) {
    for (let i = starts[row]; i < starts[row + 1]; i++, at += 2) {
      words[at] = 4 * width * indices[i];
      floats[at + 1] = values[i];
      squares[row] += values[i] * values[i];
    }
    words[at] = 4 * width * columns;
    floats[at + 1] = CONSTANT;
    squares[row] += CONSTANT * CONSTANT;
    at += 2;
  }
  const weights = floats.subarray(weightsAt, scoresAt);
  if (known) weights.set(known);
  const module = new WebAssembly.Module(assembleLabelLoops());
  const loops = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const run = (loop: unknown, row: number, labelsAt: number) =>
    (loop as (...addresses: number[]) => void)(
      4 * (entriesAt + 2 * (starts[row] + row)),
      4 * (entriesAt + 2 * (starts[row + 1] + row + 1)),
      4 * weightsAt,
      4 * (weightsAt + width),
      4 * labelsAt,
    );
  return {
    weights,
    squares,
    scores: floats.subarray(scoresAt, stepsAt),
    steps: floats.subarray(stepsAt, stepsAt + width),
    score: (row: number) => run(loops.scores, row, scoresAt),
    move: (row: number) => run(loops.move, row, stepsAt),
  };
}
