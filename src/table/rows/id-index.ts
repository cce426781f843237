import { type Column, isMissing, isNumeric } from "../columns/column.ts";
import { type TextStore, textStart } from "../columns/text-store.ts";

/** Finds the rows of a column by value, for ids. Numbers match numbers by value, texts match texts exactly. */
export interface IdIndex {
  /** The first row that holds the value of `row` in `column`, or −1. Missing values are never found. */
  find(column: Column, row: number): number;
  /** What `find` says for every row of a column. */
  findAll(column: Column): Int32Array;
  /** Whether some value occurs in more than one row. */
  hasDuplicates: boolean;
}

/** Null when the column cannot serve as ids: mixed numbers and texts, or booleans with gaps. */
export function indexIds(ids: Column): IdIndex | null {
  if (ids.kind === "none") return rowByRow(false, () => -1);
  if (ids.kind === "text") return textIndex(ids);
  return isNumeric(ids) ? numberIndex(ids) : null;
}

// A fixed hash would let a hostile file put all its ids into one slot.
const SEED = (Math.random() * 2 ** 32) >>> 0;

/**
 * A slot holds a row (counted from 1) and, in the bits that row numbers leave free, a piece of its hash: most texts
 * that are not the one looked for are then told apart without going to their bytes, which lie anywhere in memory.
 */
function textIndex(ids: Column): IdIndex {
  const texts = ids.texts!;
  const words = wordsOf(texts);
  const slots = emptySlots(ids.length);
  const mask = slots.length - 1;
  const rowBits = 32 - Math.clz32(ids.length);
  const rowMask = rowBits === 32 ? -1 : (1 << rowBits) - 1;
  let hasDuplicates = false;
  const isSame = (row: number, otherWords: DataView, other: TextStore, otherRow: number): boolean => {
    const start = textStart(texts, row);
    const otherStart = textStart(other, otherRow);
    const length = texts.ends[row] - start;
    return (
      other.ends[otherRow] - otherStart === length && equalTexts(words, start, otherWords, otherStart, length)
    );
  };
  const locate = (hash: number, storeWords: DataView, store: TextStore, row: number): number => {
    let slot = hash & mask;
    while (slots[slot] !== 0) {
      const isLikely = ((slots[slot] ^ hash) & ~rowMask) === 0;
      if (isLikely && isSame((slots[slot] & rowMask) - 1, storeWords, store, row)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };
  // Hashing, looking up and comparing are loops of their own: each touches memory in one random place only, so that
  // the processor can work on many rows at a time instead of waiting for one text after the other.
  let hashes: Int32Array<ArrayBuffer> | null = hashTexts(texts);
  for (let row = 0; row < ids.length; row++) {
    if (isMissing(ids, row)) continue;
    const hash = hashes[row];
    const slot = locate(hash, words, texts, row);
    if (slots[slot] === 0) slots[slot] = (hash & ~rowMask) | (row + 1);
    else hasDuplicates = true;
  }
  const find = (column: Column, row: number): number => {
    if (column.kind !== "text" || isMissing(column, row)) return -1;
    const store = column.texts!;
    return (slots[locate(hashText(store, row), wordsOf(store), store, row)] & rowMask) - 1;
  };
  const findAll = (column: Column): Int32Array => {
    if (column.kind !== "text") return new Int32Array(column.length).fill(-1);
    const store = column.texts!;
    const storeWords = wordsOf(store);
    // What the hashes of the ids were kept in serves once more: a million rows are four megabytes.
    const found = hashTexts(store, hashes?.length === store.length ? hashes : undefined);
    hashes = null;
    for (let row = 0; row < found.length; row++) {
      const hash = found[row];
      let slot = hash & mask;
      while (slots[slot] !== 0 && ((slots[slot] ^ hash) & ~rowMask) !== 0) slot = (slot + 1) & mask;
      found[row] = (slots[slot] & rowMask) - 1;
    }
    for (let row = 0; row < found.length; row++) {
      const isRight =
        found[row] >= 0 && !isMissing(column, row) && isSame(found[row], storeWords, store, row);
      if (!isRight) found[row] = find(column, row);
    }
    return found;
  };
  return { hasDuplicates, find, findAll };
}

function numberIndex(ids: Column): IdIndex {
  if (ids.wide !== null) return wideIndex(ids);
  return denseIndex(ids) ?? hashedIndex(ids);
}

/** As many places as this for each row, and ids are looked up in a table of all integers between the least and the most. */
const PLACES_PER_ROW = 4;

/** Ids that lie close together, as most numbered ones do, need no hash: the place is the id. Null where they do not. */
function denseIndex(ids: Column): IdIndex | null {
  const { numbers } = ids;
  if (ids.kind !== "int" || ids.missingCount > 0 || ids.length === 0) return null;
  let least = numbers[0];
  let most = numbers[0];
  for (let row = 1; row < numbers.length; row++) {
    const value = numbers[row];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  const places = most - least + 1;
  if (places > PLACES_PER_ROW * numbers.length + 1024) return null;
  const rows = new Int32Array(places).fill(-1);
  let hasDuplicates = false;
  for (let row = numbers.length - 1; row >= 0; row--) {
    const place = numbers[row] - least;
    if (rows[place] >= 0) hasDuplicates = true;
    rows[place] = row;
  }
  const rowOf = (value: number) => rows[value - least] ?? -1;
  const find = (column: Column, row: number) =>
    !isNumeric(column) || isMissing(column, row) ? -1 : rowOf(column.numbers[row]);
  const findAll = (column: Column) => {
    if (!isNumeric(column) || column.kind !== "int") return rowByRow(hasDuplicates, find).findAll(column);
    const found = new Int32Array(column.length);
    for (let row = 0; row < found.length; row++) {
      const place = column.numbers[row] - least;
      found[row] = place >= 0 && place < places ? rows[place] : -1;
    }
    return found;
  };
  return { hasDuplicates, find, findAll };
}

function hashedIndex(ids: Column): IdIndex {
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
  return rowByRow(hasDuplicates, (column, row) =>
    !isNumeric(column) || isMissing(column, row) ? -1 : slots[locate(column.numbers[row])] - 1,
  );
}

/** Ids beyond 2^53 must not pass through a double, unless the other side is one itself. */
function wideIndex(ids: Column): IdIndex {
  const exact = new Map<bigint, number>();
  const rounded = new Map<number, number>();
  for (let row = ids.length - 1; row >= 0; row--) {
    exact.set(ids.wide![row], row);
    rounded.set(ids.numbers[row], row);
  }
  return rowByRow(exact.size < ids.length, (column, row) => {
    if (!isNumeric(column) || isMissing(column, row)) return -1;
    if (column.kind !== ids.kind) return rounded.get(column.numbers[row]) ?? -1;
    return exact.get(column.wide ? column.wide[row] : BigInt(column.numbers[row])) ?? -1;
  });
}

function rowByRow(hasDuplicates: boolean, find: IdIndex["find"]): IdIndex {
  const findAll = (column: Column) => {
    const found = new Int32Array(column.length);
    for (let row = 0; row < found.length; row++) found[row] = find(column, row);
    return found;
  };
  return { find, findAll, hasDuplicates };
}

function emptySlots(rows: number): Uint32Array {
  return new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, rows * 1.6))));
}

function hashTexts(store: TextStore, hashes = new Int32Array(store.length)): Int32Array<ArrayBuffer> {
  const { ends } = store;
  const words = wordsOf(store);
  let start = 0;
  for (let row = 0; row < hashes.length; row++) {
    const end = ends[row];
    hashes[row] = hashBytes(words, start, end);
    start = end;
  }
  return hashes;
}

function hashText(store: TextStore, row: number): number {
  return hashBytes(wordsOf(store), textStart(store, row), store.ends[row]);
}

/** Four bytes at a time, wherever they begin: only a view of this kind reads them so. */
function wordsOf({ bytes }: TextStore): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function hashBytes(words: DataView, start: number, end: number): number {
  let hash = SEED ^ (end - start);
  let i = start;
  for (; i + 4 <= end; i += 4) {
    hash = Math.imul(hash ^ words.getInt32(i, true), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  for (; i < end; i++) hash = Math.imul(hash ^ words.getUint8(i), 0x5bd1e995) + (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 13), 0x2c1b3c6d);
  return hash ^ (hash >>> 16);
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

function equalTexts(a: DataView, p: number, b: DataView, q: number, length: number): boolean {
  let i = 0;
  for (; i + 4 <= length; i += 4) if (a.getInt32(p + i, true) !== b.getInt32(q + i, true)) return false;
  for (; i < length; i++) if (a.getUint8(p + i) !== b.getUint8(q + i)) return false;
  return true;
}
