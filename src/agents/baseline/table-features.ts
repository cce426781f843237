import { hashNgrams } from "../../learning/features/ngrams.ts";
import { inverseFrequencies, weightByRarity } from "../../learning/features/tfidf.ts";
import { type DenseMatrix, joinColumns, type SparseMatrix } from "../../learning/matrix.ts";
import { calendarNumbers, DATE } from "./calendar.ts";
import { type Category, type Features, linearColumns } from "./features.ts";
import { isNumberColumn, toNumber } from "./text-table.ts";

export interface NamedCells {
  readonly name: string;
  /** Training rows first. */
  readonly cells: readonly string[];
}

const TEXT_LENGTH = 30;
const TEXT_SHARE = 0.5;
const NGRAM_BITS = 17;
const FEWEST_ROWS = 3;

/** Features of a table's columns, each taken for what its cells look like. `extra` numbers come from other files. */
export function tableFeatures(
  columns: readonly NamedCells[],
  extra: readonly DenseMatrix[],
  rows: number,
): Features {
  const numbers: DenseMatrix[] = [...extra];
  const categories: Category[] = [];
  const texts: SparseMatrix[] = [];
  for (const { name, cells } of columns) {
    const distinct = new Set(cells).size;
    if (distinct < 2) continue;
    if (isNumberColumn(cells)) numbers.push(column(cells.map(toNumber)));
    else if (cells.every((cell) => cell === "" || DATE.test(cell))) numbers.push(calendarNumbers(cells));
    else if (distinct > TEXT_SHARE * rows || meanLength(cells) > TEXT_LENGTH) {
      texts.push(hashNgrams(cells, { words: [1, 2], characters: [3, 4], bits: NGRAM_BITS }));
      numbers.push(textShape(cells));
    } else {
      const category = encode(name, cells);
      categories.push(category);
      numbers.push(frequencies(category));
    }
  }
  const joined =
    numbers.length === 0 ? { rows, columns: 0, values: new Float64Array(0) } : joinColumns(numbers);
  const counts = texts.length === 0 ? null : withoutRare(sideBySide(texts));
  return {
    rows,
    numbers: joined,
    categories,
    linear: linearColumns(joined, categories),
    texts: counts && weightByRarity(counts, inverseFrequencies(counts)),
    pictures: null,
  };
}

function column(values: readonly number[]): DenseMatrix {
  return { rows: values.length, columns: 1, values: Float64Array.from(values) };
}

/** Codes in order of first appearance. */
function encode(name: string, cells: readonly string[]): Category {
  const known = new Map<string, number>();
  const codes = Int32Array.from(cells, (cell) => {
    const code = known.get(cell) ?? known.size;
    known.set(cell, code);
    return code;
  });
  return { name, codes, count: known.size };
}

function frequencies({ codes, count }: Category): DenseMatrix {
  const counts = new Float64Array(count);
  for (const code of codes) counts[code]++;
  return column(Array.from(codes, (code) => counts[code]));
}

/** How a text looks, whatever it says. */
function textShape(cells: readonly string[]): DenseMatrix {
  const patterns = [/\p{Lu}/gu, /\d/g, /[!?]/g, /\s+/g, /[^\p{L}\p{N}\s]/gu, /[$€£%]/g];
  const columns = patterns.length + 1;
  const values = new Float64Array(cells.length * columns);
  for (const [row, cell] of cells.entries()) {
    values[row * columns] = cell.length;
    for (const [i, pattern] of patterns.entries())
      values[row * columns + i + 1] = (cell.match(pattern)?.length ?? 0) / Math.max(1, cell.length);
  }
  return { rows: cells.length, columns, values };
}

function meanLength(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, cells.length);
}

/** Only the columns that several rows have: the rest teaches nothing, and every step of a fit goes over all columns. */
function withoutRare(matrix: SparseMatrix): SparseMatrix {
  const occurrences = new Uint32Array(matrix.columns);
  for (const column of matrix.indices) occurrences[column]++;
  const place = new Int32Array(matrix.columns).fill(-1);
  let columns = 0;
  for (let column = 0; column < matrix.columns; column++)
    if (occurrences[column] >= FEWEST_ROWS) place[column] = columns++;
  const starts = new Uint32Array(matrix.rows + 1);
  const kept = matrix.indices.filter((column) => place[column] >= 0).length;
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
  return { rows: matrix.rows, columns, starts, indices, values };
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
