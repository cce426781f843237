/**
 * Solves A·x = b for a symmetric positive definite A of `size` × `size`; A becomes its factor, and each row of `b`
 * (one right-hand side a row) its solution. False if A is not positive definite: nothing in `b` has changed then.
 */
export function solveCholesky(a: Float64Array, size: number, b: Float64Array): boolean {
  for (let j = 0; j < size; j++) {
    const rowJ = j * size;
    for (let i = 0; i <= j; i++) {
      const rowI = i * size;
      let sum = a[rowJ + i];
      for (let k = 0; k < i; k++) sum -= a[rowI + k] * a[rowJ + k];
      if (i < j) a[rowJ + i] = sum / a[rowI + i];
      else if (sum > 0) a[rowJ + j] = Math.sqrt(sum);
      else return false;
    }
  }
  for (let start = 0; start < b.length; start += size)
    solveFactored(a, size, b.subarray(start, start + size));
  return true;
}

function solveFactored(factor: Float64Array, size: number, b: Float64Array): void {
  for (let i = 0; i < size; i++) {
    let sum = b[i];
    for (let k = 0; k < i; k++) sum -= factor[i * size + k] * b[k];
    b[i] = sum / factor[i * size + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    b[i] /= factor[i * size + i];
    for (let k = 0; k < i; k++) b[k] -= factor[i * size + k] * b[i];
  }
}
