/** The rows for which a condition holds, in order: the usual way to keep the rows of a set of ids. */
export function rowsWhere(rowCount: number, holds: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) if (holds(row)) rows[count++] = row;
  return rows.slice(0, count);
}

/** Rows by key, keys in order of first appearance, rows in order. */
export function groupRows<Key>(keys: Iterable<Key>): Map<Key, number[]> {
  const groups = new Map<Key, number[]>();
  let row = 0;
  for (const key of keys) {
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
    row++;
  }
  return groups;
}
