/** For the rows of a source in ascending order: where they go. */
export interface RowOrder {
  /** One bit a source row: whether it goes anywhere. */
  readonly chosen: Uint8Array;
  /** For the chosen rows, in ascending order, their position in the output; null when they stay in order. */
  readonly positions: Uint32Array | null;
  readonly count: number;
}

/**
 * Turns "which source row stands at each position" around, for a pass over the source. Takes 4 bytes for each chosen row plus a bit for each
 * source row; rows that are already in ascending order take only the bits. No row may be chosen twice.
 */
export function rowOrder(rows: Uint32Array, sourceRows: number): RowOrder {
  const chosen = new Uint8Array(Math.ceil(sourceRows / 8));
  let ascending = true;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row >= sourceRows || isChosen(chosen, row))
      throw new Error(`row ${row} is out of range or chosen twice`);
    chosen[row >>> 3] |= 1 << (row & 7);
    if (i > 0 && row < rows[i - 1]) ascending = false;
  }
  return {
    chosen,
    positions: ascending ? null : invertedPositions(rows, chosen, sourceRows),
    count: rows.length,
  };
}

export function isChosen(chosen: Uint8Array, row: number): boolean {
  return (chosen[row >>> 3] & (1 << (row & 7))) !== 0;
}

function invertedPositions(rows: Uint32Array, chosen: Uint8Array, sourceRows: number): Uint32Array {
  const positionOf = new Uint32Array(sourceRows);
  for (let position = 0; position < rows.length; position++) positionOf[rows[position]] = position;
  // Moved together in place: a second array of millions of rows would be the peak of the whole preparation.
  let next = 0;
  for (let row = 0; row < sourceRows; row++) if (isChosen(chosen, row)) positionOf[next++] = positionOf[row];
  return next * 2 > sourceRows ? positionOf.subarray(0, next) : positionOf.slice(0, next);
}
