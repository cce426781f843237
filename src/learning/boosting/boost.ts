import type { DenseMatrix } from "../matrix.ts";
import { type Random, randomSubset, seededRandom } from "../seeded-random.ts";
import { createArena } from "./arena.ts";
import type { BinnedMatrix, FeatureBins } from "./bins.ts";
import { growTree, type TreeLimits } from "./grow-tree.ts";
import { type LossName, losses } from "./losses.ts";
import { writeStatistics } from "./statistics.ts";
import { startShift, type Team } from "./team.ts";
import { addTree, addTreeToBinned, type Tree } from "./tree.ts";

/** The settings of a fit; what is left out is as in scikit-learn's HistGradientBoosting. */
export interface BoostingOptions extends Partial<TreeLimits> {
  readonly loss: LossName;
  /** Classes of the softmax loss. */
  readonly classes?: number;
  readonly trees?: number;
  readonly learningRate?: number;
  /** The share of rows, and of features, that each tree may use. */
  readonly rowFraction?: number;
  readonly featureFraction?: number;
  readonly seed?: number;
  /** Rows of the matrix to learn from; all if left out. */
  readonly rows?: Int32Array;
  /** Weights of those rows, in their order. */
  readonly weights?: Float64Array;
  /** Rows that decide when to stop: the trees after the best iteration are dropped. */
  readonly validation?: Int32Array;
  /** Iterations without a better validation loss before it stops. */
  readonly patience?: number;
  /** Helper threads; they change how long it takes, never the result. */
  readonly team?: Team;
  /** Asked before each iteration; a fit that is told to stop keeps the trees it has. */
  readonly shouldStop?: () => boolean;
}

/** A fitted model: plain data that can be stored or sent to another thread. */
export interface BoostedTrees {
  readonly loss: LossName;
  readonly features: readonly FeatureBins[];
  readonly start: Float64Array;
  /** One list of trees for each iteration, with a tree for each output. */
  readonly iterations: readonly (readonly Tree[])[];
  /** The validation loss after each iteration, those since dropped included. */
  readonly validationLosses: readonly number[];
  /** The fit was told to stop before its time. */
  readonly cut: boolean;
}

const NO_TEAM: Team = { helpers: [] };

/**
 * Gradient boosting on histograms. `target` has a number for every row of the matrix, of which only those learned
 * from or validated on are read: class numbers for `softmax`, 0 and 1 for `log`.
 */
export function fitBoosting(
  binned: BinnedMatrix,
  target: Float64Array,
  options: BoostingOptions,
): BoostedTrees {
  const loss = losses[options.loss];
  const outputs = options.loss === "softmax" ? (options.classes ?? 2) : 1;
  const limits: TreeLimits = {
    maxLeaves: options.maxLeaves ?? 31,
    maxDepth: options.maxDepth ?? Number.POSITIVE_INFINITY,
    minSamplesLeaf: options.minSamplesLeaf ?? 20,
    minHessianLeaf: options.minHessianLeaf ?? 1e-3,
    l2: options.l2 ?? 0,
  };
  const learningRate = options.learningRate ?? 0.1;
  const rows = options.rows ?? Int32Array.from({ length: binned.rows }, (_, i) => i);
  const weights = options.weights ?? null;
  const truth = Float64Array.from(rows, (row) => target[row]);
  const start = loss.start(truth, weights, outputs);
  const raw = repeated(start, rows.length);
  const predicted = new Float64Array(raw.length);
  const validation =
    options.validation && watchValidation(binned, target, options.validation, options.loss, start);

  const arena = createArena(binned, rows, limits.maxLeaves);
  const shift = startShift(options.team ?? NO_TEAM, arena);
  const order = new Int32Array(arena.memory.buffer, arena.layout.rows, rows.length);
  const gradient = new Float64Array(rows.length);
  const hessian = new Float64Array(rows.length).fill(1);
  const random = seededRandom(options.seed ?? 0);
  const iterations: Tree[][] = [];
  const validationLosses: number[] = [];
  let best = { iterations: 0, loss: Number.POSITIVE_INFINITY };
  let cut = false;

  function growOutput(output: number): Tree {
    loss.gradients(truth, predicted, output, gradient, hessian);
    writeStatistics(arena, gradient, loss.constantHessian ? null : hessian, weights);
    const rootRows = drawRows(order, options.rowFraction ?? 1, random);
    const active = drawFeatures(options.featureFraction ?? 1);
    const { tree, leaves } = growTree(arena, shift, binned.features, rootRows, active, limits);
    const own = raw.subarray(output * rows.length, (output + 1) * rows.length);
    for (const { node, from, to } of leaves) {
      if (loss.leafValue) {
        const residuals = Float64Array.from(order.subarray(from, to), (i) => truth[i] - own[i]);
        tree.value[node] = loss.leafValue(residuals);
      }
      tree.value[node] *= learningRate;
      if (rootRows === rows.length) addToRows(own, order, from, to, tree.value[node]);
    }
    if (rootRows < rows.length) addTreeToBinned(tree, binned, rows, own);
    return tree;
  }

  function drawFeatures(fraction: number): number {
    const { featureCount, activeFeatures } = arena.layout;
    const count = Math.max(1, Math.round(featureCount * fraction));
    const chosen = fraction < 1 ? randomSubset(featureCount, count, random) : null;
    const active = new Int32Array(arena.memory.buffer, activeFeatures, featureCount);
    for (let i = 0; i < count; i++) active[i] = chosen ? chosen[i] : i;
    return Math.min(count, featureCount);
  }

  try {
    for (let iteration = 0; iteration < (options.trees ?? 100); iteration++) {
      cut = options.shouldStop?.() ?? false;
      if (cut) break;
      // All outputs of an iteration start from the same predictions, as if they were grown at once.
      predicted.set(raw);
      loss.link(predicted, outputs);
      const trees = Array.from({ length: outputs }, (_, output) => growOutput(output));
      iterations.push(trees);
      if (!validation) continue;
      const value = validation.addAndScore(trees);
      validationLosses.push(value);
      if (value < best.loss) best = { iterations: iteration + 1, loss: value };
      if (iteration + 1 - best.iterations >= (options.patience ?? 10)) break;
    }
  } finally {
    shift.end();
  }
  if (validation) iterations.length = best.iterations;
  return { loss: options.loss, features: binned.features, start, iterations, validationLosses, cut };
}

/** Predictions for a matrix with the same columns, one output after another: rows × outputs numbers. */
export function predictBoosting(model: BoostedTrees, matrix: DenseMatrix): Float64Array {
  const raw = repeated(model.start, matrix.rows);
  for (const trees of model.iterations) {
    for (const [output, tree] of trees.entries()) {
      addTree(tree, model.features, matrix, raw.subarray(output * matrix.rows, (output + 1) * matrix.rows));
    }
  }
  losses[model.loss].link(raw, model.start.length);
  return raw;
}

/** The same for rows of the matrix that the model was fitted on: no value has to be looked up again. */
export function predictBinned(model: BoostedTrees, binned: BinnedMatrix, rows: Int32Array): Float64Array {
  const raw = repeated(model.start, rows.length);
  for (const trees of model.iterations) {
    for (const [output, tree] of trees.entries()) {
      addTreeToBinned(tree, binned, rows, raw.subarray(output * rows.length, (output + 1) * rows.length));
    }
  }
  losses[model.loss].link(raw, model.start.length);
  return raw;
}

function watchValidation(
  binned: BinnedMatrix,
  target: Float64Array,
  rows: Int32Array,
  loss: LossName,
  start: Float64Array,
) {
  const truth = Float64Array.from(rows, (row) => target[row]);
  const raw = repeated(start, rows.length);
  return {
    addAndScore(trees: readonly Tree[]): number {
      for (const [output, tree] of trees.entries()) {
        addTreeToBinned(tree, binned, rows, raw.subarray(output * rows.length, (output + 1) * rows.length));
      }
      return losses[loss].value(truth, raw);
    },
  };
}

function addToRows(values: Float64Array, rows: Int32Array, from: number, to: number, value: number): void {
  for (let i = from; i < to; i++) values[rows[i]] += value;
}

/** Puts the rows of the next tree, in ascending order, at the front; gives their number. */
function drawRows(order: Int32Array, fraction: number, random: Random): number {
  if (fraction >= 1) {
    for (let i = 0; i < order.length; i++) order[i] = i;
    return order.length;
  }
  const chosen = randomSubset(order.length, Math.max(1, Math.round(order.length * fraction)), random);
  order.set(chosen);
  return chosen.length;
}

function repeated(values: Float64Array, times: number): Float64Array {
  const all = new Float64Array(values.length * times);
  for (let i = 0; i < values.length; i++) all.fill(values[i], i * times, (i + 1) * times);
  return all;
}
