import { isUtf8 } from "node:buffer";
import fs from "node:fs";

const LINE_FEED = 10;
const FIRST_WINDOW = 1 << 12;
/** The most that is looked at a time, unless a single field is longer. */
export const WINDOW = 1 << 17;

/** A stretch of the input; `bytes[length]` is a line feed of our own, so that scanning loops need no bounds check. */
export interface Window {
  bytes: Buffer;
  length: number;
  /** True when nothing follows. */
  final: boolean;
  hasNul: boolean;
}

/** Random access to the bytes of a table, in windows: a large file is never in memory as a whole. */
export interface ByteSource {
  size: number;
  /** The window that starts at `offset` and holds at least `atLeast` bytes if there are that many; null: not UTF-8. */
  window(offset: number, atLeast: number): Window | null;
  close(): void;
}

/** Where a source gets the buffer for its windows: at least `WINDOW` bytes and one. Asked only where there is more than one. */
export type WindowBuffer = () => Buffer;

const ownBuffer: WindowBuffer = () => Buffer.allocUnsafe(WINDOW + 1);

export function bytesSource(content: Uint8Array, windowBuffer = ownBuffer): ByteSource {
  if (content.length > WINDOW) {
    const read = (target: Uint8Array, wanted: number, position: number) => {
      target.set(content.subarray(position, position + wanted));
      return wanted;
    };
    return windowedSource(read, content.length, windowBuffer(), () => {});
  }
  const bytes = Buffer.allocUnsafe(content.length + 1);
  bytes.set(content);
  return memorySource(bytes, content.length);
}

/** A small file is read at once; a large one through a moving window. Throws what `fs` throws. */
export function fileSource(path: string, windowBuffer = ownBuffer): ByteSource {
  const file = fs.openSync(path, "r");
  try {
    const { size } = fs.fstatSync(file);
    if (size > WINDOW) {
      const read = (target: Uint8Array, wanted: number, position: number) =>
        readFully(file, target, wanted, position);
      return windowedSource(read, size, windowBuffer(), () => fs.closeSync(file));
    }
    const bytes = Buffer.allocUnsafe(size + 1);
    const length = readFully(file, bytes, size, 0);
    fs.closeSync(file);
    return memorySource(bytes, length);
  } catch (error) {
    fs.closeSync(file);
    throw error;
  }
}

function memorySource(bytes: Buffer, length: number): ByteSource {
  bytes[length] = LINE_FEED;
  const content = bytes.subarray(0, length);
  const valid = isUtf8(content);
  const hasNul = content.includes(0);
  return {
    size: length,
    window: (offset) =>
      valid ? { bytes: bytes.subarray(offset), length: length - offset, final: true, hasNul } : null,
    close: () => {},
  };
}

function windowedSource(
  read: (target: Uint8Array, wanted: number, position: number) => number,
  size: number,
  given: Buffer,
  close: () => void,
): ByteSource {
  let buffer = given;
  return {
    size,
    window(offset, atLeast) {
      if (atLeast + 1 > buffer.length) buffer = Buffer.allocUnsafe(atLeast + 1);
      const wanted = Math.min(Math.max(atLeast, windowSize(offset)), size - offset);
      const length = read(buffer, wanted, offset);
      const final = offset + length >= size || length < wanted;
      const content = buffer.subarray(0, length);
      const complete = final ? content : content.subarray(0, lastCharacterEnd(content));
      if (!isUtf8(complete)) return null;
      buffer[complete.length] = LINE_FEED;
      return { bytes: buffer, length: complete.length, final, hasNul: complete.includes(0) };
    },
    close,
  };
}

/**
 * Windows start small and grow with the file: V8 optimises the scanner after a few thousand rows, and has to do it
 * again whenever something then happens for the first time, such as a window that ends within a field.
 */
function windowSize(offset: number): number {
  return Math.min(WINDOW, Math.max(FIRST_WINDOW, offset));
}

function readFully(file: number, target: Uint8Array, wanted: number, position: number): number {
  let done = 0;
  while (done < wanted) {
    const count = fs.readSync(file, target, done, wanted - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** Where the last whole character ends: a character cut by the window belongs to the next one. */
function lastCharacterEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const width = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return width > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
