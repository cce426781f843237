import { hashNgrams } from "../../../learning/features/ngrams.ts";
import { inverseFrequencies, weightByRarity } from "../../../learning/features/tfidf.ts";
import type { SparseMatrix } from "../../../learning/matrix.ts";
import type { Part, TableColumn } from "./column-describers.ts";

/** Weighted n-grams of the text columns, for the training rows and for any stretch of the test. */
export interface TextFeatures {
  readonly train: SparseMatrix;
  describe(from: number, to: number): SparseMatrix;
}

const NGRAM_BITS = 17;
const FEWEST_ROWS = 3;

/** Which n-grams are kept, and what each is worth, is measured on the training rows. */
export function textFeatures(columns: readonly TableColumn[]): TextFeatures | null {
  if (columns.length === 0) return null;
  const counted = (part: Part, from: number, to: number) =>
    sideBySide(
      columns.map((column) => {
        const texts = Array.from({ length: to - from }, (_, i) => column[part].at(from + i) ?? "");
        return hashNgrams(texts, { words: [1, 2], characters: [3, 4], bits: NGRAM_BITS });
      }),
    );
  const all = counted("train", 0, columns[0].train.length);
  const kept = frequentColumns(all);
  const train = keepColumns(all, kept);
  const rarity = inverseFrequencies(train);
  return {
    train: weightByRarity(train, rarity),
    describe: (from, to) => weightByRarity(keepColumns(counted("test", from, to), kept), rarity),
  };
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
    if (occurrences[column] >= FEWEST_ROWS) place[column] = count++;
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
