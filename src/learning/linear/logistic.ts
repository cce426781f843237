import type { Matrix } from "../matrix.ts";
import { type MinimiseOptions, minimise } from "./lbfgs.ts";
import { type LinearModel, predictLinear } from "./linear-model.ts";
import { applyTransposed, applyWeights } from "./products.ts";

export interface LogisticOptions extends MinimiseOptions {
  /** Two classes have one output (the probability of class 1), more have one each. */
  readonly classes: number;
  /** The penalty ½·l2·‖w‖² beside the summed loss: the inverse of scikit-learn's `C`. Intercepts go free. */
  readonly l2: number;
}

/** Logistic (two classes) or softmax regression by L-BFGS. Scale dense columns first, or it takes many more steps. */
export function fitLogistic(
  matrix: Matrix,
  target: ArrayLike<number>,
  options: LogisticOptions,
): LinearModel {
  const outputs = options.classes === 2 ? 1 : options.classes;
  const size = matrix.columns * outputs;
  const parameters = new Float64Array(size + outputs);
  const objective = logisticObjective(matrix, target, outputs, options.l2);
  minimise(objective, parameters, { iterations: 200, ...options });
  return { outputs, weights: parameters.slice(0, size), intercepts: parameters.slice(size) };
}

/** Mean loss plus penalty, as a function of all weights followed by the intercepts. */
export function logisticObjective(matrix: Matrix, target: ArrayLike<number>, outputs: number, l2: number) {
  const { rows, columns } = matrix;
  const size = columns * outputs;
  const scores = new Float64Array(rows * outputs);
  return (parameters: Float64Array, gradient: Float64Array): number => {
    const weights = parameters.subarray(0, size);
    applyWeights(matrix, weights, outputs, scores);
    gradient.fill(0, size);
    let loss = 0;
    for (let row = 0; row < rows; row++) {
      const at = row * outputs;
      for (let k = 0; k < outputs; k++) scores[at + k] += parameters[size + k];
      loss +=
        outputs === 1
          ? binaryResidual(scores, at, target[row])
          : softmaxResidual(scores, at, outputs, target[row]);
      for (let k = 0; k < outputs; k++) gradient[size + k] += scores[at + k];
    }
    applyTransposed(matrix, scores, outputs, gradient.subarray(0, size));
    for (let i = 0; i < size; i++) {
      loss += (l2 * weights[i] * weights[i]) / 2;
      gradient[i] += l2 * weights[i];
    }
    for (let i = 0; i < gradient.length; i++) gradient[i] /= rows;
    return loss / rows;
  };
}

/** Probabilities: of class 1 for one output, else of each class, one class after another. */
export function predictLogistic(model: LinearModel, matrix: Matrix): Float64Array {
  const scores = predictLinear(model, matrix);
  if (model.outputs === 1) return scores.map((score) => 1 / (1 + Math.exp(-score)));
  const own = new Float64Array(model.outputs);
  for (let row = 0; row < matrix.rows; row++) {
    for (let k = 0; k < model.outputs; k++) own[k] = scores[k * matrix.rows + row];
    softmaxResidual(own, 0, model.outputs, -1);
    for (let k = 0; k < model.outputs; k++) scores[k * matrix.rows + row] = own[k];
  }
  return scores;
}

/** Turns the score into its residual; gives the loss. */
function binaryResidual(scores: Float64Array, at: number, truth: number): number {
  const value = scores[at];
  scores[at] = 1 / (1 + Math.exp(-value)) - truth;
  return Math.max(value, 0) - value * truth + Math.log1p(Math.exp(-Math.abs(value)));
}

/** Turns the scores of one row into probabilities less 1 at the truth (−1 for none); gives the loss. */
function softmaxResidual(scores: Float64Array, at: number, outputs: number, truth: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < outputs; k++) largest = Math.max(largest, scores[at + k]);
  const own = truth >= 0 ? scores[at + truth] : largest;
  let sum = 0;
  for (let k = 0; k < outputs; k++) {
    scores[at + k] = Math.exp(scores[at + k] - largest);
    sum += scores[at + k];
  }
  for (let k = 0; k < outputs; k++) scores[at + k] /= sum;
  if (truth >= 0) scores[at + truth] -= 1;
  return Math.log(sum) + largest - own;
}
