/** Up to here putting characters together is faster than the call that decodes. */
const SHORT = 5;
/** Up to here a loop copies faster than a call that needs a view of the bytes first. */
const LOOP = 160;

/**
 * Many texts in one block of UTF-8 bytes: no string object per cell, and comparing bytes is comparing code points.
 * `ends[i]` is where text i stops; it starts where text i − 1 stops.
 */
export interface TextStore {
  /** A Buffer, since only that decodes a range without a view of it being made first. */
  bytes: Buffer;
  ends: Float64Array | Uint32Array;
  length: number;
}

export function emptyTextStore(expectedBytes: number, expectedTexts: number): TextStore {
  return {
    bytes: Buffer.alloc(Math.max(16, expectedBytes)),
    // Offsets past 4 GiB do not fit 32 bits; only a file that large pays for wider ones.
    ends:
      expectedBytes >= 2 ** 32
        ? new Float64Array(expectedTexts)
        : new Uint32Array(Math.max(4, expectedTexts)),
    length: 0,
  };
}

export function textStart(store: TextStore, index: number): number {
  return index === 0 ? 0 : store.ends[index - 1];
}

export function textAt(store: TextStore, index: number): string {
  const start = textStart(store, index);
  const end = store.ends[index];
  if (end - start < SHORT) {
    let text = "";
    for (let i = start; i < end; i++) {
      const byte = store.bytes[i];
      if (byte > 127) return store.bytes.toString("utf8", start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return store.bytes.toString("utf8", start, end);
}

/** Decodes without dropping a byte-order mark: inside a cell U+FEFF is a character like any other. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}

export function appendBytes(store: TextStore, source: Uint8Array, start: number, end: number): void {
  const used = textStart(store, store.length);
  const needed = used + (end - start);
  if (needed > store.bytes.length) growBytes(store, needed);
  if (store.length === store.ends.length) growEnds(store, needed);
  const { bytes } = store;
  if (end - start <= LOOP) {
    for (let from = start, to = used; from < end; from++, to++) bytes[to] = source[from];
  } else {
    bytes.set(source.subarray(start, end), used);
  }
  store.ends[store.length++] = needed;
}

/** Appends many texts that lie one behind the other; `ends` is where each of them stops. */
export function appendTexts(store: TextStore, source: Uint8Array, ends: Uint32Array): void {
  const used = textStart(store, store.length);
  const needed = used + source.length;
  if (needed > store.bytes.length) growBytes(store, needed);
  while (store.length + ends.length > store.ends.length) growEnds(store, needed);
  store.bytes.set(source, used);
  for (let i = 0, to = store.length; i < ends.length; i++, to++) store.ends[to] = used + ends[i];
  store.length += ends.length;
}

/** Byte order of UTF-8 is code-point order, which JavaScript's own `<` on strings is not. */
export function compareTexts(a: TextStore, i: number, b: TextStore, j: number): number {
  let p = textStart(a, i);
  let q = textStart(b, j);
  const pEnd = a.ends[i];
  const qEnd = b.ends[j];
  while (p < pEnd && q < qEnd) {
    const difference = a.bytes[p++] - b.bytes[q++];
    if (difference !== 0) return difference;
  }
  return pEnd - p - (qEnd - q);
}

/** True when both stores hold the same texts in the same order. */
export function sameTexts(a: TextStore, b: TextStore): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a.ends[i] !== b.ends[i]) return false;
  const size = textStart(a, a.length);
  return Buffer.compare(a.bytes.subarray(0, size), b.bytes.subarray(0, size)) === 0;
}

function growBytes(store: TextStore, needed: number): void {
  const larger = Buffer.alloc(Math.max(needed, Math.ceil(store.bytes.length * 1.6)));
  larger.set(store.bytes);
  store.bytes = larger;
}

function growEnds(store: TextStore, needed: number): void {
  const capacity = Math.ceil(store.ends.length * 1.6) + 16;
  const larger = needed >= 2 ** 31 ? new Float64Array(capacity) : new Uint32Array(capacity);
  larger.set(store.ends);
  store.ends = larger;
}
