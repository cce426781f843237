import { cellsSize } from "./plain-cell.ts";

/** Rows evenly spread over a table whose end nobody knows yet. */
export interface KeptRows<Row> {
  /** Stays the same array while rows come and go. */
  readonly rows: Row[];
  /** Whether the next row belongs to the spread; to be asked once for each. */
  wantsNext(): boolean;
  keep(row: Row): void;
}

interface Thinnable {
  readonly rows: unknown[];
  bytes(): number;
  thin(): void;
}

const MIN_ROWS = 100;

/**
 * Keeps rows of many tables in a bounded memory: a table that has too many rows loses every other one and from there
 * on takes half as many, and when all tables together have too much text, the largest of them does.
 */
export function createRowKeeper(mostBytes: number) {
  const spreads: Thinnable[] = [];
  let allBytes = 0;
  const thinUntilItFits = () => {
    while (allBytes > mostBytes) {
      const large = spreads.filter(({ rows }) => rows.length > MIN_ROWS);
      if (large.length === 0) return;
      large.reduce((a, b) => (b.bytes() > a.bytes() ? b : a)).thin();
    }
  };
  return function keepRows<Row extends { cells: string[] }>(mostRows: number): KeptRows<Row> {
    const rows: Row[] = [];
    let offered = 0;
    let stride = 1;
    let bytes = 0;
    const thin = () => {
      const kept = rows.filter((_, i) => i % 2 === 0);
      rows.length = 0;
      for (const row of kept) rows.push(row);
      stride *= 2;
      allBytes -= bytes;
      bytes = rows.reduce((sum, { cells }) => sum + cellsSize(cells), 0);
      allBytes += bytes;
    };
    spreads.push({ rows, bytes: () => bytes, thin });
    return {
      rows,
      wantsNext: () => offered++ % stride === 0,
      keep(row) {
        rows.push(row);
        const size = cellsSize(row.cells);
        bytes += size;
        allBytes += size;
        if (rows.length > Math.max(MIN_ROWS, mostRows)) thin();
        thinUntilItFits();
      },
    };
  };
}
