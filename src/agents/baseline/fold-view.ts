import { type BinnedMatrix, binFeatures } from "../../learning/boosting/bins.ts";
import { type FoldRows, shuffledFolds } from "../../learning/features/folds.ts";
import {
  encodeCategories,
  encodeOutOfFold,
  measureCategoryMeans,
} from "../../learning/features/target-encoding.ts";
import { type DenseMatrix, joinColumns } from "../../learning/matrix.ts";
import type { Category, Features } from "./features.ts";
import type { RowsProblem } from "./rows-problem.ts";

/** The data as one fold's models see them: encodings know the targets of that fold's training rows alone. */
export interface FoldView {
  readonly features: Features;
  readonly problem: RowsProblem;
  /** Rows to learn from. */
  readonly train: Int32Array;
  /** Rows to predict: those held back, then all of the test. */
  readonly asked: Int32Array;
  readonly seed: number;
  /** For trees: numbers and encoded categories, all rows. */
  matrix(): DenseMatrix;
  binned(): BinnedMatrix;
}

const SMOOTHING = 10;
const INNER_FOLDS = 5;
const MOST_ENCODED_OUTPUTS = 10;

/** Both matrices are made when first asked for, and kept. */
export function foldView(features: Features, problem: RowsProblem, fold: FoldRows, number: number): FoldView {
  let matrix: DenseMatrix | null = null;
  let binned: BinnedMatrix | null = null;
  const testRows = Int32Array.from({ length: problem.testRows }, (_, i) => problem.trainRows + i);
  const view: FoldView = {
    features,
    problem,
    train: fold.train,
    asked: Int32Array.from([...fold.validation, ...testRows]),
    seed: problem.seed * 1000 + number,
    matrix() {
      matrix ??= joinColumns([features.numbers, ...encodings(features, problem, fold.train, view.seed)]);
      return matrix;
    },
    binned() {
      binned ??= binFeatures(view.matrix());
      return binned;
    },
  };
  return view;
}

function encodings(features: Features, problem: RowsProblem, train: Int32Array, seed: number): DenseMatrix[] {
  const targets = questions(problem);
  if (targets.length > MOST_ENCODED_OUTPUTS) return [];
  const inner = shuffledFolds(train.length, INNER_FOLDS, seed);
  return features.categories.flatMap((category) =>
    targets.map((target) => encode(category, target, train, inner)),
  );
}

/** The numbers whose mean is worth knowing for a category: one for each class of many, else the target itself. */
function questions({ kind, classes, target, trainRows, outputs }: RowsProblem): Float64Array[] {
  if (kind === "classes" && classes > 2)
    return Array.from({ length: classes }, (_, label) => target.map((own) => Number(own === label)));
  return Array.from({ length: kind === "classes" ? 1 : outputs }, (_, output) =>
    target.subarray(output * trainRows, (output + 1) * trainRows),
  );
}

function encode(
  { codes }: Category,
  target: Float64Array,
  train: Int32Array,
  inner: Uint8Array,
): DenseMatrix {
  const values = encodeCategories(codes, measureCategoryMeans(codes, target, train, SMOOTHING));
  const own = {
    codes: train.map((row) => codes[row]),
    target: Float64Array.from(train, (row) => target[row]),
  };
  const outOfFold = encodeOutOfFold(own.codes, own.target, inner, SMOOTHING);
  for (let i = 0; i < train.length; i++) values[train[i]] = outOfFold[i];
  return { rows: values.length, columns: 1, values };
}
