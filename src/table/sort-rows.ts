import { argsortDescending } from "../metrics/argsort.ts";
import { type Column, isMissing, isNumeric } from "./column.ts";
import { introsortOrder } from "./introsort.ts";
import { compareTexts, type TextStore, textStart } from "./text-store.ts";

const PREFIX_BYTES = 6;

/**
 * The rows of a column in ascending order, missing ones last, exactly as numpy's default sort leaves them: that
 * sort is unstable, so where values repeat its own algorithm is followed. Null when the values cannot be compared.
 */
export function sortedRows(column: Column): Uint32Array | null {
  if (column.kind === "none") return new Uint32Array(0);
  if (column.kind !== "text" && !isNumeric(column)) return null;
  const present = presentRows(column);
  const compare = rowComparator(column);
  let order = column.kind === "text" ? sortTexts(column, present) : sortNumbers(column, present);
  if (hasEqualNeighbours(order, compare)) {
    const sorted = introsortOrder(present.length, (a, b) => compare(present[a], present[b]) < 0);
    order = sorted.map((position) => present[position]);
  }
  return column.missingCount === 0 ? order : withMissingLast(column, order);
}

/** Compares two rows of one column of texts or numbers. */
export function rowComparator(column: Column): (a: number, b: number) => number {
  const { texts, numbers, wide } = column;
  if (column.kind === "text") return (a, b) => compareTexts(texts!, a, texts!, b);
  if (wide === null) return (a, b) => numbers[a] - numbers[b];
  const unsigned = column.kind === "uint";
  return (a, b) => {
    const [x, y] = unsigned ? [BigInt.asUintN(64, wide[a]), BigInt.asUintN(64, wide[b])] : [wide[a], wide[b]];
    return x < y ? -1 : x > y ? 1 : 0;
  };
}

function presentRows(column: Column): Uint32Array {
  const rows = new Uint32Array(column.length - column.missingCount);
  let count = 0;
  for (let row = 0; row < column.length; row++) if (!isMissing(column, row)) rows[count++] = row;
  return rows;
}

function sortNumbers(column: Column, rows: Uint32Array): Uint32Array {
  if (isSorted(rows, rowComparator(column))) return rows;
  if (column.wide !== null) return rows.slice().sort(rowComparator(column));
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = -column.numbers[rows[i]];
  return argsortDescending(keys).map((position) => rows[position]);
}

/**
 * Sorts by the first bytes behind what all texts share, packed into a number, then settles equal packs by
 * comparing whole texts.
 */
function sortTexts(column: Column, rows: Uint32Array): Uint32Array {
  const compare = rowComparator(column);
  if (isSorted(rows, compare)) return rows;
  const texts = column.texts!;
  const skip = sharedPrefix(texts, rows);
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = -packedPrefix(texts, rows[i], skip);
  const positions = argsortDescending(keys);
  const order = positions.map((position) => rows[position]);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && keys[positions[end]] === keys[positions[start]]) end++;
    if (end - start > 1) order.subarray(start, end).sort(compare);
    start = end;
  }
  return order;
}

function sharedPrefix(texts: TextStore, rows: Uint32Array): number {
  const first = textStart(texts, rows[0]);
  let shared = texts.ends[rows[0]] - first;
  for (const row of rows) {
    const start = textStart(texts, row);
    const limit = Math.min(shared, texts.ends[row] - start);
    let same = 0;
    while (same < limit && texts.bytes[first + same] === texts.bytes[start + same]) same++;
    shared = same;
    if (shared === 0) break;
  }
  return shared;
}

function packedPrefix(texts: TextStore, row: number, skip: number): number {
  const start = textStart(texts, row) + skip;
  const end = texts.ends[row];
  let packed = 0;
  // A text that ends early sorts before one that goes on with a zero byte, hence the shift by one.
  for (let i = 0; i < PREFIX_BYTES; i++)
    packed = packed * 257 + (start + i < end ? texts.bytes[start + i] + 1 : 0);
  return packed;
}

function isSorted(rows: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let i = 1; i < rows.length; i++) if (compare(rows[i - 1], rows[i]) > 0) return false;
  return true;
}

function hasEqualNeighbours(order: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let i = 1; i < order.length; i++) if (compare(order[i - 1], order[i]) === 0) return true;
  return false;
}

function withMissingLast(column: Column, order: Uint32Array): Uint32Array {
  const all = new Uint32Array(column.length);
  all.set(order);
  let next = order.length;
  for (let row = 0; row < column.length; row++) if (isMissing(column, row)) all[next++] = row;
  return all;
}
