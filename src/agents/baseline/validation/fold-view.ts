import { type BinnedMatrix, binFeatures } from "../../../learning/boosting/bins.ts";
import { type FoldRows, shuffledFolds } from "../../../learning/features/folds.ts";
import {
  type CategoryMeans,
  encodeCategories,
  encodeOutOfFold,
  measureCategoryMeans,
} from "../../../learning/features/target-encoding.ts";
import { type DenseMatrix, joinColumns, type SparseMatrix, takeRows } from "../../../learning/matrix.ts";
import type { Category, Features } from "../features/features.ts";
import { chooseTexts, type TextChoice, type TextMatrix, withTextColumns } from "../features/texts.ts";
import type { RowsProblem } from "../solvers/rows-problem.ts";

/** The data as one fold's models see them: encodings know the targets of that fold's training rows alone. */
export interface FoldView {
  /** Of all training rows. */
  readonly features: Features;
  readonly problem: RowsProblem;
  /** Rows to learn from. */
  readonly train: Int32Array;
  readonly seed: number;
  /** For trees: numbers and encoded categories of all training rows. */
  binned(): BinnedMatrix;
  /** Rows held back, to be predicted. */
  askRows(rows: Int32Array): Asked;
  /** All rows of some features, to be predicted. */
  askAll(features: Features): Asked;
}

/** Rows to predict, in whichever form a model wants them. */
export interface Asked {
  readonly rows: number;
  /** Numbers and encoded categories. */
  trees(): DenseMatrix;
  linear(): DenseMatrix;
  texts(choice: TextChoice): SparseMatrix;
  /** Numbers and some columns of the texts. */
  withWords(columns: Int32Array): DenseMatrix;
  pixels(): DenseMatrix;
}

const SMOOTHING = 10;
const INNER_FOLDS = 5;
const MAX_ENCODED_OUTPUTS = 10;

/** `numberBins` are those of the plain numbers, which all folds share. What is made is made when first asked for. */
export function foldView(
  features: Features,
  problem: RowsProblem,
  fold: FoldRows,
  number: number,
  numberBins: () => BinnedMatrix,
): FoldView {
  const seed = problem.seed * 1000 + number;
  let binned: BinnedMatrix | null = null;
  let measured: CategoryMeans[] | null = null;
  const targets = encodedTargets(problem);
  const means = () => {
    measured ??= features.categories.flatMap(({ codes }) =>
      targets.map((target) => measureCategoryMeans(codes, target, fold.train, SMOOTHING)),
    );
    return measured;
  };
  const encoded = (categories: readonly Category[]): DenseMatrix[] =>
    categories.flatMap(({ codes }, i) =>
      targets.map((_, question) => {
        const values = encodeCategories(codes, means()[i * targets.length + question]);
        return { rows: codes.length, columns: 1, values };
      }),
    );
  const view: FoldView = {
    features,
    problem,
    train: fold.train,
    seed,
    binned() {
      binned ??= withEncodings(numberBins(), ownEncodings());
      return binned;
    },
    askAll: (asked) => ({
      rows: asked.rows,
      trees: () => joined(asked.numbers, encoded(asked.categories)),
      linear: () => asked.linear(),
      texts: (choice) => chooseTexts(present(asked.texts), choice),
      withWords: (columns) => withTextColumns(asked.numbers, present(asked.texts), columns),
      pixels: () => present(asked.pictures).pixels,
    }),
    askRows(rows) {
      const categories = () =>
        features.categories.map((category) => ({
          ...category,
          codes: rows.map((row) => category.codes[row]),
        }));
      return {
        rows: rows.length,
        trees: () => joined(takeRows(features.numbers, rows) as DenseMatrix, encoded(categories())),
        linear: () => takeRows(features.linear(), rows) as DenseMatrix,
        texts: (choice) => chosenRows(present(features.texts), rows, choice),
        withWords: (columns) =>
          withTextColumns(
            takeRows(features.numbers, rows) as DenseMatrix,
            {
              ...present(features.texts),
              matrix: takeRows(present(features.texts).matrix, rows) as SparseMatrix,
            },
            columns,
          ),
        pixels: () => takeRows(present(features.pictures).pixels, rows) as DenseMatrix,
      };
    },
  };
  return view;

  /** Rows that are learned from must not know their own target through the mean of their category. */
  function ownEncodings(): DenseMatrix[] {
    const inner = shuffledFolds(fold.train.length, INNER_FOLDS, seed);
    const all = encoded(features.categories);
    for (const [i, { codes }] of features.categories.entries())
      for (const [question, target] of targets.entries()) {
        const outOfFold = encodeOutOfFold(
          fold.train.map((row) => codes[row]),
          Float64Array.from(fold.train, (row) => target[row]),
          inner,
          SMOOTHING,
        );
        const { values } = all[i * targets.length + question];
        for (let at = 0; at < fold.train.length; at++) values[fold.train[at]] = outOfFold[at];
      }
    return all;
  }
}

/** The numbers whose mean is worth knowing for a category: one for each class of many, else the target itself. */
function encodedTargets({ kind, classes, target, trainRows, outputs }: RowsProblem): Float64Array[] {
  const isMany = kind === "classes" && classes > 2;
  const count = isMany ? classes : kind === "classes" ? 1 : outputs;
  if (count > MAX_ENCODED_OUTPUTS) return [];
  return Array.from({ length: count }, (_, output) =>
    isMany
      ? target.map((own) => Number(own === output))
      : target.subarray(output * trainRows, (output + 1) * trainRows),
  );
}

function withEncodings(numbers: BinnedMatrix, encodings: readonly DenseMatrix[]): BinnedMatrix {
  if (encodings.length === 0) return numbers;
  const own = binFeatures(joinColumns(encodings));
  const bins = new Uint8Array(numbers.bins.length + own.bins.length);
  bins.set(numbers.bins);
  bins.set(own.bins, numbers.bins.length);
  return { rows: own.rows, features: [...numbers.features, ...own.features], bins };
}

function joined(numbers: DenseMatrix, encodings: readonly DenseMatrix[]): DenseMatrix {
  return encodings.length === 0 ? numbers : joinColumns([numbers, ...encodings]);
}

/** Some rows of the chosen texts. */
export function chosenRows(texts: TextMatrix, rows: Int32Array, choice: TextChoice): SparseMatrix {
  return chooseTexts({ ...texts, matrix: takeRows(texts.matrix, rows) as SparseMatrix }, choice);
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error("a model was planned for features that are not there");
  return value;
}
