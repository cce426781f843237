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
  const indices: number[] = [];
  const values: number[] = [];
  const counts = new Map<number, number>();
  const count = (hash: number) => {
    const column = finish(hash) & mask;
    counts.set(column, (counts.get(column) ?? 0) + 1);
  };
  for (const [row, text] of texts.entries()) {
    counts.clear();
    const plain = text.toLowerCase();
    if (options.words) hashWords(plain, options.words, count);
    if (options.characters) hashCharacters(plain, options.characters, count);
    for (const column of [...counts.keys()].sort((a, b) => a - b)) {
      indices.push(column);
      values.push(counts.get(column) ?? 0);
    }
    starts[row + 1] = indices.length;
  }
  return {
    rows: texts.length,
    columns: mask + 1,
    starts,
    indices: Uint32Array.from(indices),
    values: Float64Array.from(values),
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
