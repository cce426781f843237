import { type Column, isMissing, isNumeric } from "./column.ts";
import { type TextStore, textStart } from "./text-store.ts";

/** Finds the rows of a column by value, for ids. Numbers match numbers by value, texts match texts exactly. */
export interface IdIndex {
  /** The first row that holds the value of `row` in `column`, or −1. Missing values are never found. */
  find(column: Column, row: number): number;
  /** Whether some value occurs in more than one row. */
  hasDuplicates: boolean;
}

/** Null when the column cannot serve as ids: mixed numbers and texts, or booleans with gaps. */
export function indexIds(ids: Column): IdIndex | null {
  if (ids.kind === "none") return { find: () => -1, hasDuplicates: false };
  if (ids.kind === "text") return textIndex(ids);
  return isNumeric(ids) ? numberIndex(ids) : null;
}

// A fixed hash would let a hostile file put all its ids into one slot.
const SEED = (Math.random() * 2 ** 32) >>> 0;

function textIndex(ids: Column): IdIndex {
  const texts = ids.texts!;
  const slots = emptySlots(ids.length);
  const mask = slots.length - 1;
  let hasDuplicates = false;
  const locate = (store: TextStore, row: number): number => {
    let slot = hashText(store, row) & mask;
    while (slots[slot] !== 0 && !equalTexts(texts, slots[slot] - 1, store, row)) slot = (slot + 1) & mask;
    return slot;
  };
  for (let row = 0; row < ids.length; row++) {
    if (isMissing(ids, row)) continue;
    const slot = locate(texts, row);
    if (slots[slot] === 0) slots[slot] = row + 1;
    else hasDuplicates = true;
  }
  return {
    hasDuplicates,
    find: (column, row) =>
      column.kind !== "text" || isMissing(column, row) ? -1 : slots[locate(column.texts!, row)] - 1,
  };
}

function numberIndex(ids: Column): IdIndex {
  if (ids.wide !== null) return wideIndex(ids);
  const slots = emptySlots(ids.length);
  const mask = slots.length - 1;
  const { numbers } = ids;
  let hasDuplicates = false;
  const locate = (value: number): number => {
    let slot = hashNumber(value) & mask;
    while (slots[slot] !== 0 && numbers[slots[slot] - 1] !== value) slot = (slot + 1) & mask;
    return slot;
  };
  for (let row = 0; row < ids.length; row++) {
    if (isMissing(ids, row)) continue;
    const slot = locate(numbers[row]);
    if (slots[slot] === 0) slots[slot] = row + 1;
    else hasDuplicates = true;
  }
  return {
    hasDuplicates,
    find: (column, row) =>
      !isNumeric(column) || isMissing(column, row) ? -1 : slots[locate(column.numbers[row])] - 1,
  };
}

/** Ids beyond 2^53 must not pass through a double, unless the other side is one itself. */
function wideIndex(ids: Column): IdIndex {
  const exact = new Map<bigint, number>();
  const rounded = new Map<number, number>();
  for (let row = ids.length - 1; row >= 0; row--) {
    exact.set(ids.wide![row], row);
    rounded.set(ids.numbers[row], row);
  }
  return {
    hasDuplicates: exact.size < ids.length,
    find(column, row) {
      if (!isNumeric(column) || isMissing(column, row)) return -1;
      if (column.kind !== ids.kind) return rounded.get(column.numbers[row]) ?? -1;
      return exact.get(column.wide ? column.wide[row] : BigInt(column.numbers[row])) ?? -1;
    },
  };
}

function emptySlots(rows: number): Uint32Array {
  return new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, rows * 1.6))));
}

function hashText(store: TextStore, row: number): number {
  const { bytes } = store;
  const end = store.ends[row];
  let hash = SEED;
  for (let i = textStart(store, row); i < end; i++)
    hash = Math.imul(hash ^ bytes[i], 0x5bd1e995) + (hash >>> 15);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const float = new Float64Array(1);
const floatWords = new Uint32Array(float.buffer);

function hashNumber(value: number): number {
  float[0] = value + 0;
  let hash = Math.imul(floatWords[0] ^ SEED, 0x85ebca6b) ^ Math.imul(floatWords[1] + 0x9e3779b9, 0xc2b2ae35);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function equalTexts(a: TextStore, i: number, b: TextStore, j: number): boolean {
  let p = textStart(a, i);
  let q = textStart(b, j);
  const end = a.ends[i];
  if (end - p !== b.ends[j] - q) return false;
  while (p < end) if (a.bytes[p++] !== b.bytes[q++]) return false;
  return true;
}
