import { hashNgrams } from "../../../learning/features/ngrams.ts";
import { inverseFrequencies } from "../../../learning/features/tfidf.ts";
import type { DenseMatrix, SparseMatrix } from "../../../learning/matrix.ts";
import type { Part, TableColumn } from "./column-describers.ts";

/** What is counted in the texts. */
export type TextSigns = "words" | "characters";

/** The n-grams of one kind in one column of texts: these columns of the matrix. */
export interface TextBlock {
  readonly name: string;
  readonly signs: TextSigns;
  readonly from: number;
  readonly to: number;
}

/** Counted n-grams, weighted by rarity, block after block. */
export interface TextMatrix {
  readonly matrix: SparseMatrix;
  readonly blocks: readonly TextBlock[];
}

/**
 * Which blocks a model looks at: all, those of one kind of signs, or those of one column. `balanced`: all, each block
 * with the same weight in a row; else many short n-grams outweigh few words.
 */
export type TextChoice = "all" | "balanced" | TextSigns | { readonly column: string };

/** Weighted n-grams of the text columns, for the training rows and for any stretch of the test. */
export interface TextFeatures {
  readonly train: TextMatrix;
  describe(from: number, to: number): TextMatrix;
}

const NGRAM_BITS = 17;
const MIN_ROWS = 3;
const SIGNS = {
  words: { words: [1, 2], characters: null, bits: NGRAM_BITS },
  characters: { words: null, characters: [3, 4], bits: NGRAM_BITS },
} as const;

/** Which n-grams are kept, and what each is worth, is measured on the training rows. */
export function textFeatures(columns: readonly TableColumn[]): TextFeatures | null {
  if (columns.length === 0) return null;
  const parts = columns.flatMap((column) =>
    (["words", "characters"] as const).map((signs) => {
      const counted = (part: Part, from: number, to: number) =>
        hashNgrams(
          Array.from({ length: to - from }, (_, i) => column[part].at(from + i) ?? ""),
          SIGNS[signs],
        );
      const all = counted("train", 0, column.train.length);
      const kept = frequentColumns(all);
      const train = keepColumns(all, kept);
      const rarity = inverseFrequencies(train);
      const describe = (from: number, to: number) =>
        timesRarity(keepColumns(counted("test", from, to), kept), rarity);
      return { name: column.name, signs, train: timesRarity(train, rarity), describe };
    }),
  );
  let end = 0;
  const blocks = parts.map(({ name, signs, train }) => {
    const from = end;
    end += train.columns;
    return { name, signs, from, to: end };
  });
  return {
    train: { matrix: sideBySide(parts.map(({ train }) => train)), blocks },
    describe: (from, to) => ({
      matrix: sideBySide(parts.map(({ describe }) => describe(from, to))),
      blocks,
    }),
  };
}

/** Whether a model that chose this looks at the block. */
export function isChosen(choice: TextChoice, { name, signs }: TextBlock): boolean {
  if (typeof choice === "object") return choice.column === name;
  return choice === "all" || choice === "balanced" || choice === signs;
}

/** The chosen blocks, each row scaled to length 1 as a whole. */
export function chooseTexts({ matrix, blocks }: TextMatrix, choice: TextChoice): SparseMatrix {
  const place = new Int32Array(matrix.columns).fill(-1);
  const ends: number[] = [];
  let count = 0;
  for (const block of blocks) {
    if (!isChosen(choice, block)) continue;
    for (let column = block.from; column < block.to; column++) place[column] = count++;
    ends.push(count);
  }
  const chosen = keepColumns(matrix, { count, place });
  scaleRows(chosen, choice === "balanced" ? ends : [count]);
  return chosen;
}

/** Gives each row the length 1, as much of it to each stretch of columns in which the row has anything. */
function scaleRows({ rows, starts, indices, values }: SparseMatrix, ends: readonly number[]): void {
  for (let row = 0; row < rows; row++) {
    const stretches: { from: number; to: number; length: number }[] = [];
    let at = starts[row];
    for (const end of ends) {
      const from = at;
      let square = 0;
      for (; at < starts[row + 1] && indices[at] < end; at++) square += values[at] * values[at];
      if (square > 0) stretches.push({ from, to: at, length: Math.sqrt(square) });
    }
    for (const { from, to, length } of stretches) {
      const scale = 1 / (length * Math.sqrt(stretches.length));
      for (let i = from; i < to; i++) values[i] *= scale;
    }
  }
}

export const FREQUENT_WORDS = 300;

/** The most frequent words as plain numbers, for trees. */
export function frequentWords({ matrix, blocks }: TextMatrix): Int32Array {
  const rowsWith = new Uint32Array(matrix.columns);
  for (const column of matrix.indices) rowsWith[column]++;
  return Int32Array.from(
    blocks
      .filter(({ signs }) => signs === "words")
      .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
  )
    .sort((a, b) => rowsWith[b] - rowsWith[a] || a - b)
    .slice(0, FREQUENT_WORDS);
}

/** The named columns as plain numbers, beside others. */
export function withTextColumns(
  numbers: DenseMatrix,
  { matrix }: TextMatrix,
  columns: Int32Array,
): DenseMatrix {
  const place = new Int32Array(matrix.columns).fill(-1);
  for (const [i, column] of columns.entries()) place[column] = numbers.columns + i;
  const width = numbers.columns + columns.length;
  const values = new Float32Array(numbers.rows * width);
  for (let row = 0; row < numbers.rows; row++) {
    values.set(numbers.values.subarray(row * numbers.columns, (row + 1) * numbers.columns), row * width);
    for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++) {
      const column = place[matrix.indices[at]];
      if (column >= 0) values[row * width + column] = matrix.values[at];
    }
  }
  return { rows: numbers.rows, columns: width, values };
}

/** Counts to 1 + log(count), times rarity. */
function timesRarity(matrix: SparseMatrix, rarity: Float64Array): SparseMatrix {
  const values = matrix.values.map((count, at) => (1 + Math.log(count)) * rarity[matrix.indices[at]]);
  return { ...matrix, values };
}

interface KeptColumns {
  readonly count: number;
  /** The new number of each column, −1 for one that is dropped. */
  readonly place: Int32Array;
}

/** Only what several rows have: the rest teaches nothing, and every step of a fit goes over all columns. */
function frequentColumns({ columns, indices }: SparseMatrix): KeptColumns {
  const occurrences = new Uint32Array(columns);
  for (const column of indices) occurrences[column]++;
  const place = new Int32Array(columns).fill(-1);
  let count = 0;
  for (let column = 0; column < columns; column++)
    if (occurrences[column] >= MIN_ROWS) place[column] = count++;
  return { count, place };
}

function keepColumns(matrix: SparseMatrix, { count, place }: KeptColumns): SparseMatrix {
  let kept = 0;
  for (const column of matrix.indices) if (place[column] >= 0) kept++;
  const starts = new Uint32Array(matrix.rows + 1);
  const indices = new Uint32Array(kept);
  const values = new Float64Array(kept);
  let to = 0;
  for (let row = 0; row < matrix.rows; row++) {
    for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++) {
      const column = place[matrix.indices[at]];
      if (column < 0) continue;
      indices[to] = column;
      values[to++] = matrix.values[at];
    }
    starts[row + 1] = to;
  }
  return { rows: matrix.rows, columns: count, starts, indices, values };
}

/** The matrices' columns one after another. */
function sideBySide(matrices: readonly SparseMatrix[]): SparseMatrix {
  if (matrices.length === 1) return matrices[0];
  const { rows } = matrices[0];
  const entries = matrices.reduce((sum, { indices }) => sum + indices.length, 0);
  const starts = new Uint32Array(rows + 1);
  const indices = new Uint32Array(entries);
  const values = new Float64Array(entries);
  let to = 0;
  for (let row = 0; row < rows; row++) {
    let offset = 0;
    for (const matrix of matrices) {
      for (let at = matrix.starts[row]; at < matrix.starts[row + 1]; at++) {
        indices[to] = offset + matrix.indices[at];
        values[to++] = matrix.values[at];
      }
      offset += matrix.columns;
    }
    starts[row + 1] = to;
  }
  return { rows, columns: matrices.reduce((sum, { columns }) => sum + columns, 0), starts, indices, values };
}
