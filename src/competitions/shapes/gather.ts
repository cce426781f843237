/** The values at the given rows; the array itself when rows are null, which means "as they are". */
export function gather(values: Float64Array, rows: Uint32Array | null): Float64Array {
  if (rows === null) return values;
  const gathered = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) gathered[i] = values[rows[i]];
  return gathered;
}
