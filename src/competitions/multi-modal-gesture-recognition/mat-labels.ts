import { deflateSync, inflateSync } from "node:zlib";

const HEADER_BYTES = 128;
const TAG_BYTES = 8;
const MATRIX = 14;
const COMPRESSED = 15;
const STRUCT_CLASS = 2;
const LARGEST_VARIABLE = 2 ** 30;
const LABELS = "Labels";

/** A matrix without content, which MATLAB reads as `[]`. */
const EMPTY_MATRIX = tag(MATRIX, 0);

interface Element {
  readonly type: number;
  readonly content: Buffer;
  /** Where the next one starts. */
  readonly next: number;
}

/**
 * A MATLAB file (version 5, little-endian) with the field `Labels` of its structs emptied: it names the gestures of a session. Null if the file
 * cannot be read or has no such field, so that nobody can tell whether it is clean.
 */
export function withoutLabels(mat: Buffer): Buffer | null {
  if (mat.toString("latin1", HEADER_BYTES - 2, HEADER_BYTES) !== "IM") return null;
  const parts: Buffer[] = [mat.subarray(0, HEADER_BYTES)];
  let found = false;
  for (let at = HEADER_BYTES; at < mat.length; ) {
    const element = elementAt(mat, at);
    const variable = element && unpacked(element);
    if (!element || !variable) return null;
    const cleaned = variable.type === MATRIX ? structWithoutLabels(variable.content) : "no struct";
    if (cleaned === "unreadable") return null;
    if (cleaned instanceof Buffer) {
      found = true;
      const whole = Buffer.concat([tag(MATRIX, cleaned.length), cleaned]);
      parts.push(element.type === COMPRESSED ? compressed(whole) : whole);
    } else {
      parts.push(mat.subarray(at, element.next));
    }
    at = element.next;
  }
  return found ? Buffer.concat(parts) : null;
}

/** The content of a struct matrix: flags, dimensions, name, length of field names, field names, then the fields of each struct in turn. */
function structWithoutLabels(matrix: Buffer): Buffer | "no struct" | "unreadable" {
  const head: Element[] = [];
  for (let i = 0, at = 0; i < 5; i++) {
    const element = elementAt(matrix, at);
    if (!element) return head[0]?.content[0] === STRUCT_CLASS ? "unreadable" : "no struct";
    head.push(element);
    at = element.next;
  }
  const [flags, , , nameLength, names] = head;
  if (flags.content[0] !== STRUCT_CLASS) return "no struct";
  const width = nameLength.content.length === 4 ? nameLength.content.readInt32LE(0) : 0;
  if (width <= 0) return "unreadable";
  const fields = Array.from({ length: Math.floor(names.content.length / width) }, (_, i) =>
    names.content.toString("latin1", i * width, (i + 1) * width).replace(/\0.*$/s, ""),
  );
  const labels = fields.indexOf(LABELS);
  if (labels < 0) return "no struct";
  const parts = [matrix.subarray(0, names.next)];
  for (let i = 0, at = names.next; at < matrix.length; i++) {
    const field = elementAt(matrix, at);
    if (!field) return "unreadable";
    parts.push(i % fields.length === labels ? EMPTY_MATRIX : matrix.subarray(at, field.next));
    at = field.next;
  }
  return Buffer.concat(parts);
}

/** An element with its tag of eight bytes, or a small one whose content shares them. Null if it does not fit. */
function elementAt(bytes: Buffer, at: number): Element | null {
  if (at + TAG_BYTES > bytes.length) return null;
  const type = bytes.readUInt16LE(at);
  const smallLength = bytes.readUInt16LE(at + 2);
  if (smallLength > 4) return null;
  if (smallLength > 0)
    return { type, content: bytes.subarray(at + 4, at + 4 + smallLength), next: at + TAG_BYTES };
  const start = at + TAG_BYTES;
  const end = start + bytes.readUInt32LE(at + 4);
  if (end > bytes.length) return null;
  const next = type === COMPRESSED ? end : Math.ceil(end / 8) * 8;
  return { type, content: bytes.subarray(start, end), next };
}

function unpacked(element: Element): Element | null {
  if (element.type !== COMPRESSED) return element;
  try {
    return elementAt(inflateSync(element.content, { maxOutputLength: LARGEST_VARIABLE }), 0);
  } catch {
    return null;
  }
}

function compressed(element: Buffer): Buffer {
  const packed = deflateSync(element);
  return Buffer.concat([tag(COMPRESSED, packed.length), packed]);
}

function tag(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(TAG_BYTES);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}
