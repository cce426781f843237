import { type Matrix, takeRows } from "../../learning/matrix.ts";

/**
 * What is predicted: a number, the probability of class 1, the probabilities of several classes, or those of labels
 * of which any number may hold. Targets and predictions lie one output after another; for `classes` the target is the
 * class number.
 */
export type Target =
  | { readonly kind: "number" | "binary"; readonly values: Float64Array }
  | { readonly kind: "classes" | "labels"; readonly values: Float64Array; readonly outputs: number };

export function outputsOf(target: Target): number {
  return "outputs" in target ? target.outputs : 1;
}

/** The data as one participant sees them. Rows are those of the training file, then those of the test file. */
export interface View<M extends Matrix = Matrix> {
  readonly name: string;
  /** Columns for the rows learned from and for those asked for; they may depend on the targets of the former. */
  of(train: Int32Array, asked: Int32Array): { readonly train: M; readonly asked: M };
}

/** Something that learns: fits on one matrix and predicts for another. */
export interface Learner<M extends Matrix = Matrix> {
  readonly name: string;
  readonly family: string;
  predict(train: M, target: Target, asked: M): Float64Array;
}

/** A learner on a view: predicts rows from other rows, the test file's or a fold's. */
export interface Method {
  readonly name: string;
  readonly family: string;
  predict(train: Int32Array, asked: Int32Array): Float64Array;
}

export function methodOf<M extends Matrix>(view: View<M>, learner: Learner<M>, target: Target): Method {
  return {
    name: `${learner.name} on ${view.name}`,
    family: learner.family,
    predict(train, asked) {
      const seen = view.of(train, asked);
      return learner.predict(seen.train, targetOf(target, train), seen.asked);
    },
  };
}

/** A view whose columns are the same whatever is learned from; the matrix is made when it is first asked for. */
export function fixedView<M extends Matrix>(name: string, make: () => M): View<M> {
  let matrix: M | null = null;
  return {
    name,
    of(train, asked) {
      matrix ??= make();
      return { train: takeRows(matrix, train) as M, asked: takeRows(matrix, asked) as M };
    },
  };
}

/** The target of some rows. */
export function targetOf(target: Target, rows: Int32Array): Target {
  const { values } = target;
  if (target.kind !== "labels") return { ...target, values: Float64Array.from(rows, (row) => values[row]) };
  const all = values.length / target.outputs;
  const own = new Float64Array(rows.length * target.outputs);
  for (let k = 0; k < target.outputs; k++)
    for (let i = 0; i < rows.length; i++) own[k * rows.length + i] = values[k * all + rows[i]];
  return { ...target, values: own };
}

/** Targets as numbers, one output after another: classes become a 0 or 1 for each. */
export function asNumbers(target: Target): Float64Array {
  if (target.kind !== "classes") return target.values;
  const { values, outputs } = target;
  const numbers = new Float64Array(values.length * outputs);
  for (let i = 0; i < values.length; i++) numbers[values[i] * values.length + i] = 1;
  return numbers;
}

/** A label that hardly ever holds is not worth a model: its share is predicted. */
const RARE = 0.01;

/** One label after another, each as a problem of two classes. */
export function eachLabel(
  target: Target,
  askedRows: number,
  predict: (own: Target) => Float64Array,
): Float64Array {
  const outputs = outputsOf(target);
  const rows = target.values.length / outputs;
  const all = new Float64Array(outputs * askedRows);
  for (let k = 0; k < outputs; k++) {
    const values = target.values.slice(k * rows, (k + 1) * rows);
    const share = values.reduce((sum, value) => sum + value, 0) / rows;
    if (share < RARE) all.fill(share, k * askedRows, (k + 1) * askedRows);
    else all.set(predict({ kind: "binary", values }), k * askedRows);
  }
  return all;
}
