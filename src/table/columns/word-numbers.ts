import { appendBytes, emptyTextStore, type TextStore, textStart } from "./text-store.ts";

/** Numbers the words of texts without making strings of them. */
export interface WordNumbers {
  /** How many different words have been added. */
  readonly size: number;
  /** Calls `visit` with the number of each word of a text, adding the words that are new. */
  add(texts: TextStore, row: number, visit: (word: number) => void): void;
  /** The same for words that are known already; others are passed over. */
  find(texts: TextStore, row: number, visit: (word: number) => void): void;
}

// A fixed hash would let a hostile file put all its words into one slot.
const SEED = (Math.random() * 2 ** 32) >>> 0;

/** Words are what `str.split()` makes of a text. They are numbered from 0 in the order in which they are added. */
export function numberWords(): WordNumbers {
  const words = emptyTextStore(0, 0);
  let slots = new Int32Array(1024).fill(-1);
  const locate = (bytes: Uint8Array, start: number, end: number): number => {
    const mask = slots.length - 1;
    let slot = hash(bytes, start, end) & mask;
    while (slots[slot] >= 0 && !equals(words, slots[slot], bytes, start, end)) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = () => {
    slots = new Int32Array(slots.length * 4).fill(-1);
    for (let word = 0; word < words.length; word++) {
      slots[locate(words.bytes, textStart(words, word), words.ends[word])] = word;
    }
  };
  return {
    get size() {
      return words.length;
    },
    add(texts, row, visit) {
      eachWord(texts, row, (start, end) => {
        let slot = locate(texts.bytes, start, end);
        if (slots[slot] < 0) {
          if (words.length * 2 > slots.length) {
            grow();
            slot = locate(texts.bytes, start, end);
          }
          slots[slot] = words.length;
          appendBytes(words, texts.bytes, start, end);
        }
        visit(slots[slot]);
      });
    },
    find(texts, row, visit) {
      eachWord(texts, row, (start, end) => {
        const word = slots[locate(texts.bytes, start, end)];
        if (word >= 0) visit(word);
      });
    },
  };
}

function eachWord(texts: TextStore, row: number, visit: (start: number, end: number) => void): void {
  const { bytes } = texts;
  const end = texts.ends[row];
  let start = textStart(texts, row);
  for (let at = start; at < end; ) {
    const space = spaceWidth(bytes, at);
    if (space > 0 && at > start) visit(start, at);
    at += space || 1;
    if (space > 0) start = at;
  }
  if (end > start) visit(start, end);
}

/** How many bytes the white space at a place takes, by Python's rules; 0 where there is none. */
function spaceWidth(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first < 0x80) return first <= 32 && (first >= 28 || (first >= 9 && first <= 13)) ? 1 : 0;
  const second = bytes[at + 1];
  if (first === 0xc2) return second === 0x85 || second === 0xa0 ? 2 : 0;
  if (first < 0xe1 || first > 0xe3) return 0;
  const code = ((first & 15) << 12) | ((second & 63) << 6) | (bytes[at + 2] & 63);
  const isSpace =
    (code >= 0x2000 && code <= 0x200a) || [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(code);
  return isSpace ? 3 : 0;
}

function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = SEED;
  for (let at = start; at < end; at++) value = Math.imul(value ^ bytes[at], 0x5bd1e995) + (value >>> 15);
  return (value ^ (value >>> 13)) >>> 0;
}

function equals(words: TextStore, word: number, bytes: Uint8Array, start: number, end: number): boolean {
  let at = textStart(words, word);
  if (words.ends[word] - at !== end - start) return false;
  for (let other = start; other < end; ) if (words.bytes[at++] !== bytes[other++]) return false;
  return true;
}
