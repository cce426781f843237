import type { SparseMatrix } from "../matrix.ts";

export interface NgramOptions {
  /** Shortest and longest sequence of words; null for none. */
  readonly words: readonly [number, number] | null;
  /** Shortest and longest sequence of characters; null for none. */
  readonly characters: readonly [number, number] | null;
  /** The matrix has 2^bits columns. */
  readonly bits: number;
}

/** Letters, digits and marks of any script, with apostrophes inside. */
const WORD = /[\p{L}\p{N}\p{M}_]+(?:['’][\p{L}\p{N}]+)*/gu;

/**
 * Counts of word and character sequences, each thrown into a column by its hash: nothing has to be learned, and two
 * texts always agree on their columns. Words and characters have hashes of their own kind. Case is ignored.
 */
export function hashNgrams(texts: readonly string[], options: NgramOptions): SparseMatrix {
  const mask = 2 ** options.bits - 1;
  const starts = new Uint32Array(texts.length + 1);
  const indices = growingList();
  const values = growingList();
  const found = growingList();
  const count = (hash: number) => found.push(finish(hash) & mask);
  for (const [row, text] of texts.entries()) {
    found.clear();
    const plain = text.toLowerCase();
    if (options.words) hashWords(plain, options.words, count);
    if (options.characters) hashCharacters(plain, options.characters, count);
    const columns = found.all().sort();
    for (let from = 0, to = 0; from < columns.length; from = to) {
      while (to < columns.length && columns[to] === columns[from]) to++;
      indices.push(columns[from]);
      values.push(to - from);
    }
    starts[row + 1] = indices.all().length;
  }
  return {
    rows: texts.length,
    columns: mask + 1,
    starts,
    indices: indices.all().slice(),
    values: Float64Array.from(values.all()),
  };
}

/** Numbers in one block of memory that doubles when it is full: millions of them in a plain array take several times the memory. */
function growingList() {
  let numbers = new Uint32Array(1024);
  let used = 0;
  return {
    push(number: number): void {
      if (used === numbers.length) {
        const larger = new Uint32Array(2 * used);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[used++] = number;
    },
    clear(): void {
      used = 0;
    },
    all: () => numbers.subarray(0, used),
  };
}

const WORD_START = 0x811c9dc5 | 0;
const CHARACTER_START = 0x2545f491;

function hashWords(
  text: string,
  [shortest, longest]: readonly [number, number],
  count: (hash: number) => void,
): void {
  const words = text.match(WORD) ?? [];
  for (let from = 0; from < words.length; from++) {
    let hash = WORD_START;
    for (let length = 1; length <= longest && from + length <= words.length; length++) {
      const word = words[from + length - 1];
      for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i));
      hash = mix(hash, 0x20);
      if (length >= shortest) count(hash);
    }
  }
}

/** White space of any length counts as one blank, and the text has one at both ends. */
function hashCharacters(
  text: string,
  [shortest, longest]: readonly [number, number],
  count: (hash: number) => void,
): void {
  const trimmed = text.trim();
  if (trimmed === "") return;
  const padded = ` ${trimmed.replace(/\s+/g, " ")} `;
  for (let from = 0; from < padded.length; from++) {
    let hash = CHARACTER_START;
    for (let length = 1; length <= longest && from + length <= padded.length; length++) {
      hash = mix(hash, padded.charCodeAt(from + length - 1));
      if (length >= shortest) count(hash);
    }
  }
}

/** One step of FNV-1a on 16-bit units. */
function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** FNV alone leaves the low bits too regular for so few columns. */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
