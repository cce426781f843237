/** Which rows of a source go where: a list turned around, for passes over the source. */
export interface RowOrder {
  readonly count: number;
  /** Whether the chosen rows stay in the order of the source. */
  readonly ascending: boolean;
  open(): RowPlaces;
}

/** One pass. */
export interface RowPlaces {
  /** The position of a source row in the output, or -1. Rows are asked for in ascending order; the same one may be asked for again. */
  of(sourceRow: number): number;
  close(): void;
}

/**
 * Turns "which source row stands at each position" around. Takes 4 bytes for each chosen row plus a bit for each
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
  const positions = ascending ? null : invertedPositions(rows, chosen, sourceRows);
  return { count: rows.length, ascending, open: () => placesInMemory(chosen, positions) };
}

function placesInMemory(chosen: Uint8Array, positions: Uint32Array | null): RowPlaces {
  let asked = -1;
  let answer = -1;
  let next = 0;
  return {
    of(sourceRow) {
      if (sourceRow === asked) return answer;
      asked = sourceRow;
      if (!isChosen(chosen, sourceRow)) answer = -1;
      else {
        answer = positions === null ? next : positions[next];
        next++;
      }
      return answer;
    },
    close() {},
  };
}

function isChosen(chosen: Uint8Array, row: number): boolean {
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
