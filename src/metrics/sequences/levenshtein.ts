const WORD = 32;

// Scratch space shared by all calls; every call leaves `matches` full of zeros.
let left = new Int32Array(1024);
let right = new Int32Array(1024);
let carries = new Int8Array(1024);
let matches = new Int32Array(0x10000);

/** Edit distance in Unicode code points (not UTF-16 units): insertion, deletion and substitution cost 1 each. */
export function levenshtein(a: string, b: string): number {
  if (a === b) return 0;
  reserve(a.length, b.length);
  return distance(readCodePoints(a, left), readCodePoints(b, right));
}

/** A text as a range of UTF-8 bytes. */
export interface ByteRange {
  bytes: Uint8Array;
  start: number;
  end: number;
}

/**
 * Edit distance of two texts in UTF-8, without making strings of them. Null when they differ where a character takes
 * several bytes: distances count characters, so `levenshtein` has to decide.
 */
export function levenshteinOfBytes(a: ByteRange, b: ByteRange): number | null {
  let { start: aStart, end: aEnd } = a;
  let { start: bStart, end: bEnd } = b;
  while (aStart < aEnd && bStart < bEnd && a.bytes[aStart] === b.bytes[bStart]) {
    aStart++;
    bStart++;
  }
  while (aEnd > aStart && bEnd > bStart && a.bytes[aEnd - 1] === b.bytes[bEnd - 1]) {
    aEnd--;
    bEnd--;
  }
  reserve(aEnd - aStart, bEnd - bStart);
  const onlyAscii = readAscii(a.bytes, aStart, aEnd, left) && readAscii(b.bytes, bStart, bEnd, right);
  return onlyAscii ? distance(aEnd - aStart, bEnd - bStart) : null;
}

/** Edit distance between two lists of integers. */
export function levenshteinOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  reserve(a.length, b.length);
  const symbols = new Map<number, number>();
  const encode = (list: ArrayLike<number>, into: Int32Array): void => {
    for (let i = 0; i < list.length; i++) {
      let symbol = symbols.get(list[i]);
      if (symbol === undefined) {
        symbol = symbols.size;
        symbols.set(list[i], symbol);
      }
      into[i] = symbol;
    }
  };
  encode(a, left);
  encode(b, right);
  reserveSymbols(symbols.size);
  return distance(a.length, b.length);
}

function reserve(leftLength: number, rightLength: number): void {
  if (left.length < leftLength) left = new Int32Array(2 * leftLength);
  if (right.length < rightLength) right = new Int32Array(2 * rightLength);
  const longest = Math.max(leftLength, rightLength);
  if (carries.length < longest) carries = new Int8Array(2 * longest);
}

function reserveSymbols(count: number): void {
  if (matches.length < count) matches = new Int32Array(2 * count);
}

function readAscii(bytes: Uint8Array, start: number, end: number, into: Int32Array): boolean {
  for (let i = start; i < end; i++) {
    if (bytes[i] > 127) return false;
    into[i - start] = bytes[i];
  }
  return true;
}

function readCodePoints(text: string, into: Int32Array): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code >= 0xd800 && code <= 0xdbff) {
      code = text.codePointAt(i)!;
      if (code > 0xffff) {
        i++;
        reserveSymbols(code + 1);
      }
    }
    into[count++] = code;
  }
  return count;
}

/** The distance between the first symbols of `left` and `right`, after cutting off what both share at the ends. */
function distance(leftLength: number, rightLength: number): number {
  let leftEnd = leftLength;
  let rightEnd = rightLength;
  while (leftEnd > 0 && rightEnd > 0 && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const shorter = Math.min(leftEnd, rightEnd);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  if (start === shorter) return Math.max(leftEnd, rightEnd) - start;
  return leftEnd <= rightEnd
    ? editDistance(left, leftEnd, right, rightEnd, start)
    : editDistance(right, rightEnd, left, leftEnd, start);
}

/**
 * Myers' bit-parallel algorithm in Hyyrö's block form: 32 rows of the table at a time, each block swept over the
 * whole text. `carries` hands the horizontal differences of a block's last row to the block below.
 */
function editDistance(
  pattern: Int32Array,
  patternEnd: number,
  text: Int32Array,
  textEnd: number,
  start: number,
): number {
  carries.fill(1, start, textEnd);
  for (let top = start; top < patternEnd; top += WORD) {
    const bottom = Math.min(top + WORD, patternEnd);
    for (let i = top; i < bottom; i++) matches[pattern[i]] |= 1 << (i - top);
    sweepBlock(text, start, textEnd, bottom - top - 1);
    for (let i = top; i < bottom; i++) matches[pattern[i]] = 0;
  }
  let result = patternEnd - start;
  for (let column = start; column < textEnd; column++) result += carries[column];
  return result;
}

function sweepBlock(text: Int32Array, start: number, end: number, lastRow: number): void {
  let rising = -1;
  let falling = 0;
  for (let column = start; column < end; column++) {
    const carry = carries[column];
    const carriedFall = carry >>> 31;
    const carriedRise = (carry + 1) >> 1;
    const match = matches[text[column]];
    const vertical = match | falling;
    const equal = match | carriedFall;
    const horizontal = (((equal & rising) + rising) ^ rising) | equal;
    let up = falling | ~(horizontal | rising);
    let down = rising & horizontal;
    carries[column] = ((up >>> lastRow) & 1) - ((down >>> lastRow) & 1);
    up = (up << 1) | carriedRise;
    down = (down << 1) | carriedFall;
    rising = down | ~(vertical | up);
    falling = up & vertical;
  }
}
