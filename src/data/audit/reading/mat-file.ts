import { inflateSync } from "node:zlib";

/** An array inside a MATLAB file, by its path of variable and field names. */
export interface MatArray {
  path: string;
  elements: number;
  /** False for a struct or a cell array, which only holds others. */
  leaf: boolean;
  /** The text of a character array, else empty. */
  text: string;
}

const HEADER = 128;
const COMPRESSED = 15;
const MATRIX = 14;
const CELL = 1;
const STRUCT = 2;
const CHARACTERS = 4;
const LARGEST = 256 * 2 ** 20;
const DEEPEST = 12;
const MAX_ARRAYS = 100_000;
const MAX_FIELDS = 10_000;
const MAX_DIMENSIONS = 32;

/**
 * The arrays of a MATLAB 5 file with their names, without the numbers in them. Null when the bytes are not such a file
 * (version 7.3 is HDF5); what is damaged ends the list.
 */
export function matArrays(bytes: Buffer): MatArray[] | null {
  if (bytes.length < HEADER || !bytes.toString("latin1", 0, 20).startsWith("MATLAB 5.0")) return null;
  const arrays: MatArray[] = [];
  // Written on a big-endian machine the mark reads "MI"; no such file is known in this field.
  if (bytes.toString("latin1", 126, 128) !== "IM") return arrays;
  readElements(bytes.subarray(HEADER), arrays, true);
  return arrays;
}

interface Element {
  type: number;
  data: Buffer;
  next: number;
}

/** Only the outermost elements may be compressed: anything deeper would be an attack on our memory. */
function readElements(bytes: Buffer, arrays: MatArray[], mayInflate: boolean): void {
  for (let at = 0; at + 8 <= bytes.length && arrays.length < MAX_ARRAYS; ) {
    const element = elementAt(bytes, at);
    if (element === null) return;
    if (element.type === COMPRESSED) {
      const inner = mayInflate ? inflated(element.data) : null;
      if (inner !== null) readElements(inner, arrays, false);
    } else if (element.type === MATRIX) readMatrix(element.data, "", arrays, 0);
    at = element.next;
  }
}

/** A tag of 8 bytes, or of 4 with up to 4 bytes of data in the same place. Compressed elements are not padded. */
function elementAt(bytes: Buffer, at: number): Element | null {
  if (at + 8 > bytes.length) return null;
  const word = bytes.readUInt32LE(at);
  const small = word >>> 16;
  if (small > 0) {
    return small > 4
      ? null
      : { type: word & 0xffff, data: bytes.subarray(at + 4, at + 4 + small), next: at + 8 };
  }
  const length = bytes.readUInt32LE(at + 4);
  const end = at + 8 + length;
  if (end > bytes.length) return null;
  const padding = word === COMPRESSED ? 0 : (8 - (length % 8)) % 8;
  return { type: word, data: bytes.subarray(at + 8, end), next: end + padding };
}

function readMatrix(bytes: Buffer, parent: string, arrays: MatArray[], depth: number): void {
  const flags = elementAt(bytes, 0);
  const dimensions = flags && elementAt(bytes, flags.next);
  const name = dimensions && elementAt(bytes, dimensions.next);
  if (!flags || !dimensions || !name || depth > DEEPEST || arrays.length >= MAX_ARRAYS) return;
  const own = name.data.toString("latin1");
  const path = [parent, own].filter((part) => part !== "").join(".");
  let elements = 1;
  for (let i = 0; i + 4 <= Math.min(dimensions.data.length, 4 * MAX_DIMENSIONS); i += 4)
    elements *= dimensions.data.readUInt32LE(i);
  const kind = flags.data[0];
  const content = elementAt(bytes, name.next);
  const text = kind === CHARACTERS && content ? content.data.toString("latin1").replaceAll("\0", "") : "";
  arrays.push({ path, elements, leaf: kind !== CELL && kind !== STRUCT, text });
  if (kind === CELL) readChildren(bytes, name.next, () => path, arrays, depth);
  if (kind === STRUCT) readStruct(bytes, name.next, path, arrays, depth);
}

function readStruct(bytes: Buffer, at: number, path: string, arrays: MatArray[], depth: number): void {
  const width = elementAt(bytes, at);
  const names = width && elementAt(bytes, width.next);
  if (!width || !names || width.data.length < 4) return;
  const size = width.data.readUInt32LE(0);
  const fields: string[] = [];
  for (let i = 0; size > 0 && i + size <= names.data.length && fields.length < MAX_FIELDS; i += size) {
    fields.push(names.data.toString("latin1", i, i + size).replace(/\0.*$/s, ""));
  }
  if (fields.length > 0)
    readChildren(bytes, names.next, (i) => `${path}.${fields[i % fields.length]}`, arrays, depth);
}

function readChildren(
  bytes: Buffer,
  start: number,
  pathOf: (index: number) => string,
  arrays: MatArray[],
  depth: number,
): void {
  for (let at = start, i = 0; at + 8 <= bytes.length && arrays.length < MAX_ARRAYS; i++) {
    const child = elementAt(bytes, at);
    if (child === null || child.type !== MATRIX) return;
    readMatrix(child.data, pathOf(i), arrays, depth + 1);
    at = child.next;
  }
}

function inflated(bytes: Buffer): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: LARGEST });
  } catch {
    return null;
  }
}
