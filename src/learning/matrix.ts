/** Numbers in row-major order; NaN is a missing value where the reader says that it allows one. */
export interface DenseMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array | Float32Array;
}

/** Compressed rows: row r has the entries `starts[r]` up to `starts[r + 1]`, its columns in ascending order. */
export interface SparseMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly starts: Uint32Array;
  readonly indices: Uint32Array;
  readonly values: Float64Array;
}

/** Whatever the linear learners accept. */
export type Matrix = DenseMatrix | SparseMatrix;

export function isSparse(matrix: Matrix): matrix is SparseMatrix {
  return "starts" in matrix;
}

/** A matrix from an array of rows of equal length. For tests and small tables. */
export function denseFromRows(rows: readonly (readonly number[])[]): DenseMatrix {
  return { rows: rows.length, columns: rows[0]?.length ?? 0, values: Float64Array.from(rows.flat()) };
}

/** The named rows, copied in the order given; a row may be named twice. */
function takeDenseRows(matrix: DenseMatrix, rows: ArrayLike<number>): DenseMatrix {
  const { columns } = matrix;
  const values = emptyLike(matrix.values, rows.length * columns);
  for (let i = 0; i < rows.length; i++) {
    values.set(matrix.values.subarray(rows[i] * columns, (rows[i] + 1) * columns), i * columns);
  }
  return { rows: rows.length, columns, values };
}

/** The named rows of a sparse matrix, copied in the order given. */
function takeSparseRows(matrix: SparseMatrix, rows: ArrayLike<number>): SparseMatrix {
  const starts = new Uint32Array(rows.length + 1);
  for (let i = 0; i < rows.length; i++) {
    starts[i + 1] = starts[i] + matrix.starts[rows[i] + 1] - matrix.starts[rows[i]];
  }
  const indices = new Uint32Array(starts[rows.length]);
  const values = new Float64Array(starts[rows.length]);
  for (let i = 0; i < rows.length; i++) {
    const [from, to] = [matrix.starts[rows[i]], matrix.starts[rows[i] + 1]];
    indices.set(matrix.indices.subarray(from, to), starts[i]);
    values.set(matrix.values.subarray(from, to), starts[i]);
  }
  return { rows: rows.length, columns: matrix.columns, starts, indices, values };
}

/** The named rows of either kind. */
export function takeRows(matrix: Matrix, rows: ArrayLike<number>): Matrix {
  return isSparse(matrix) ? takeSparseRows(matrix, rows) : takeDenseRows(matrix, rows);
}

/** Matrices of as many rows each, side by side. */
export function joinColumns(matrices: readonly DenseMatrix[]): DenseMatrix {
  const rows = matrices[0]?.rows ?? 0;
  const columns = matrices.reduce((sum, matrix) => sum + matrix.columns, 0);
  const values = new Float64Array(rows * columns);
  let offset = 0;
  for (const matrix of matrices) {
    for (let row = 0; row < rows; row++) {
      const from = row * matrix.columns;
      values.set(matrix.values.subarray(from, from + matrix.columns), row * columns + offset);
    }
    offset += matrix.columns;
  }
  return { rows, columns, values };
}

function emptyLike(values: Float64Array | Float32Array, length: number): Float64Array | Float32Array {
  return values instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}
