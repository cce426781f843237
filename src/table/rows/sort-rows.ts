import { argsortConsumed } from "../../metrics/arithmetic/argsort.ts";
import { type Column, isMissing, isNumeric } from "../columns/column.ts";
import { compareTexts, type TextStore, textStart } from "../columns/text-store.ts";
import { introsortOrder } from "./introsort.ts";

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
  const sort = column.kind === "text" ? sortTexts : sortNumbers;
  let { order, hasEqual } = inOrder(present, compare) ?? sort(column, present);
  if (hasEqual) {
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

interface SortedRows {
  order: Uint32Array;
  /** Whether two rows hold the same value, so that their order depends on the algorithm. */
  hasEqual: boolean;
}

/** The rows as they are, if their values ascend already; null otherwise. */
function inOrder(rows: Uint32Array, compare: (a: number, b: number) => number): SortedRows | null {
  let hasEqual = false;
  for (let i = 1; i < rows.length; i++) {
    const difference = compare(rows[i - 1], rows[i]);
    if (difference > 0) return null;
    if (difference === 0) hasEqual = true;
  }
  return { order: rows, hasEqual };
}

function sortNumbers(column: Column, rows: Uint32Array): SortedRows {
  const { numbers, wide } = column;
  if (wide !== null) {
    const compare = rowComparator(column);
    return inOrder(rows.slice().sort(compare), compare)!;
  }
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = -numbers[rows[i]];
  const order = argsortConsumed(keys).map((position) => rows[position]);
  let hasEqual = false;
  for (let i = 1; i < order.length && !hasEqual; i++) hasEqual = numbers[order[i]] === numbers[order[i - 1]];
  return { order, hasEqual };
}

/**
 * Sorts by the first bytes behind what all texts share, packed into a number, then settles equal packs by
 * comparing whole texts.
 */
function sortTexts(column: Column, rows: Uint32Array): SortedRows {
  const texts = column.texts!;
  const compare = rowComparator(column);
  const skip = sharedPrefix(texts, rows);
  const keys = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = 0 - packedPrefix(texts, rows[i], skip);
  // Sorting leaves other numbers in their place, some of them not equal to themselves; their bits still tell them apart.
  const words = new Uint32Array(keys.buffer);
  const alike = (p: number, q: number) =>
    words[2 * p] === words[2 * q] && words[2 * p + 1] === words[2 * q + 1];
  const positions = argsortConsumed(keys);
  // Where no row is left out, a position among them is the row itself; rows that share a key may change places in both.
  const order = rows.length === column.length ? positions : positions.map((position) => rows[position]);
  let hasEqual = false;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && alike(positions[end], positions[start])) end++;
    if (end - start > 1) hasEqual = sortAlike(order.subarray(start, end), compare) || hasEqual;
    start = end;
  }
  return { order, hasEqual };
}

/** Sorts a few rows in place and says whether two of them hold the same text. */
function sortAlike(rows: Uint32Array, compare: (a: number, b: number) => number): boolean {
  return inOrder(rows.sort(compare), compare)!.hasEqual;
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

function withMissingLast(column: Column, order: Uint32Array): Uint32Array {
  const all = new Uint32Array(column.length);
  all.set(order);
  let next = order.length;
  for (let row = 0; row < column.length; row++) if (isMissing(column, row)) all[next++] = row;
  return all;
}
