import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { type FormatProblem, unreadable } from "./format-problem.ts";

export type NpyHeader = {
  status: "header";
  file: string;
  /** NumPy's type text, e.g. `<f4`, `|u1` or `<U2`. */
  descr: string;
  fortranOrder: boolean;
  shape: number[];
  itemBytes: number;
  dataStart: number;
};

export type NpyArray = { status: "array"; header: NpyHeader; data: Buffer };

const longestHeader = 1 << 16;
const kinds: Record<string, number> = { b: 1, i: 1, u: 1, f: 1, c: 1, S: 1, U: 4 };

/** The header of a .npy file, checked against the file's size. Object arrays (pickles) are refused. */
export function readNpyHeader(path: string): NpyHeader | FormatProblem {
  const size = statSync(path).size;
  const fd = openSync(path, "r");
  try {
    const head = Buffer.alloc(Math.min(size, longestHeader));
    readSync(fd, head, 0, head.length, 0);
    return parseHeader(head, size, path);
  } finally {
    closeSync(fd);
  }
}

/** A whole array as raw bytes in C order, whatever order the file has. */
export function readNpy(path: string): NpyArray | FormatProblem {
  const header = readNpyHeader(path);
  if (header.status === "unreadable") return header;
  const bytes = header.itemBytes * count(header.shape);
  const data = Buffer.alloc(bytes);
  const fd = openSync(path, "r");
  try {
    for (let at = 0; at < bytes; ) at += readSync(fd, data, at, bytes - at, header.dataStart + at);
  } finally {
    closeSync(fd);
  }
  return { status: "array", header, data: header.fortranOrder ? toRowOrder(data, header) : data };
}

/** The elements of an integer, boolean or text array as text, as Python prints them; padding NULs of texts are dropped. */
export function npyTexts(array: NpyArray): string[] | FormatProblem {
  const { header, data } = array;
  const read = elementReader(header);
  if (read === null)
    return unreadable(header.file, `has elements of type ${header.descr}, which is not a label`);
  return Array.from({ length: data.length / header.itemBytes }, (_, i) => read(data, i * header.itemBytes));
}

/** The header NumPy 1.26 writes for a C-order array, byte for byte. */
export function npyHeaderBytes(descr: string, shape: number[]): Buffer {
  const shapeText = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const growth = shape.length === 0 ? 0 : 21 - String(shape[0]).length;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shapeText}, }${" ".repeat(growth)}`;
  const padding = 64 - ((10 + text.length + 1) % 64);
  const body = `${text}${" ".repeat(padding)}\n`;
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, body.length & 0xff, body.length >> 8]);
  return Buffer.concat([start, Buffer.from(body, "latin1")]);
}

/**
 * Writes a new array of the chosen rows (along the first axis), in the order given, reading each row by offset: the
 * source may be larger than memory. Only one that is stored column by column must fit, since its rows lie scattered.
 */
export function gatherNpyRows(source: string, target: string, rows: ArrayLike<number>): FormatProblem | null {
  const header = readNpyHeader(source);
  if (header.status === "unreadable") return header;
  const whole = header.fortranOrder && header.shape.length > 1 ? readNpy(source) : null;
  if (whole?.status === "unreadable") return whole;
  const rowBytes = header.itemBytes * count(header.shape.slice(1));
  const rowsPerChunk = Math.max(1, Math.floor((4 << 20) / Math.max(rowBytes, 1)));
  const chunk = Buffer.alloc(rowsPerChunk * rowBytes);
  const from = openSync(source, "r");
  const to = openSync(target, "w");
  try {
    writeSync(to, npyHeaderBytes(header.descr, [rows.length, ...header.shape.slice(1)]));
    for (let done = 0; done < rows.length; done += rowsPerChunk) {
      const here = Math.min(rowsPerChunk, rows.length - done);
      for (let i = 0; i < here; i++) {
        const row = rows[done + i];
        if (row >= header.shape[0]) throw new RangeError(`row ${row} of ${header.shape[0]}`);
        if (whole) whole.data.copy(chunk, i * rowBytes, row * rowBytes, (row + 1) * rowBytes);
        else readSync(from, chunk, i * rowBytes, rowBytes, header.dataStart + row * rowBytes);
      }
      for (let at = 0; at < here * rowBytes; ) at += writeSync(to, chunk, at, here * rowBytes - at);
    }
  } finally {
    closeSync(from);
    closeSync(to);
  }
  return null;
}

function parseHeader(head: Buffer, fileSize: number, path: string): NpyHeader | FormatProblem {
  if (head.length < 12 || head.toString("latin1", 0, 6) !== "\x93NUMPY")
    return unreadable(path, "is not a .npy file");
  const wide = head[6] >= 2;
  const dictStart = wide ? 12 : 10;
  const dataStart = dictStart + (wide ? head.readUInt32LE(8) : head.readUInt16LE(8));
  if (dataStart > head.length) return unreadable(path, "is cut off in its header");
  const text = head.toString("latin1", dictStart, dataStart);
  const descr = /'descr':\s*'([<>|=][a-zA-Z]\d+)'/.exec(text)?.[1];
  const order = /'fortran_order':\s*(True|False)/.exec(text)?.[1];
  const shapeText = /'shape':\s*\(([\d, ]*)\)/.exec(text)?.[1];
  if (!descr || !order || shapeText === undefined) return unreadable(path, "has a header we cannot read");
  const unit = kinds[descr[1]];
  if (unit === undefined || descr[0] === ">")
    return unreadable(path, `has elements of type ${descr}, which we cannot read`);
  const shape = shapeText
    .split(",")
    .filter((part) => part.trim() !== "")
    .map(Number);
  const itemBytes = unit * Number(descr.slice(2));
  if (dataStart + itemBytes * count(shape) > fileSize) return unreadable(path, "is cut off");
  return { status: "header", file: path, descr, fortranOrder: order === "True", shape, itemBytes, dataStart };
}

function toRowOrder(data: Buffer, { shape, itemBytes }: NpyHeader): Buffer {
  const strides = shape.map((_, axis) => count(shape.slice(0, axis)));
  const result = Buffer.alloc(data.length);
  const index = shape.map(() => 0);
  for (let to = 0; to < data.length; to += itemBytes) {
    const from = index.reduce((sum, position, axis) => sum + position * strides[axis], 0) * itemBytes;
    data.copy(result, to, from, from + itemBytes);
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) index[axis] = 0;
  }
  return result;
}

function elementReader({ descr, itemBytes }: NpyHeader): ((data: Buffer, at: number) => string) | null {
  switch (descr[1]) {
    case "U":
      return (data, at) => {
        let text = "";
        for (let i = at; i < at + itemBytes; i += 4)
          text += String.fromCodePoint(Math.min(data.readUInt32LE(i), 0x10ffff));
        return text.replace(/\0+$/, "");
      };
    case "S":
      return (data, at) => data.toString("latin1", at, at + itemBytes).replace(/\0+$/, "");
    case "b":
      return (data, at) => (data[at] ? "True" : "False");
    case "i":
      return itemBytes === 8
        ? (data, at) => String(data.readBigInt64LE(at))
        : (data, at) => String(data.readIntLE(at, itemBytes));
    case "u":
      return itemBytes === 8
        ? (data, at) => String(data.readBigUInt64LE(at))
        : (data, at) => String(data.readUIntLE(at, itemBytes));
    default:
      return null;
  }
}

function count(shape: number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
