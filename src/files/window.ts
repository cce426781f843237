import fs from "node:fs";

/** A part of a file that may be as large as it likes, and may grow or vanish while it is read. */
export interface FileWindow {
  /** Bytes: where the part begins and ends, and how long the file was. */
  from: number;
  to: number;
  size: number;
  bytes: Buffer;
}

/** From an offset, or the last part for `"end"`; null where there is no such regular file. Never more than `most` bytes. */
export function readWindow(file: string, at: number | "end", most: number): FileWindow | null {
  let handle: number;
  try {
    // A pipe that somebody put there would keep us waiting for ever.
    if (!fs.lstatSync(file).isFile()) return null;
    handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  try {
    const { size } = fs.fstatSync(handle);
    const from = at === "end" ? Math.max(0, size - most) : Math.min(Math.max(0, at), size);
    const bytes = Buffer.alloc(Math.min(most, size - from));
    const count = fs.readSync(handle, bytes, 0, bytes.length, from);
    return { from, to: from + count, size, bytes: bytes.subarray(0, count) };
  } catch {
    return null;
  } finally {
    fs.closeSync(handle);
  }
}

export interface Rows {
  rows: string[];
  /** Where to go on: behind the last whole line, or behind a line that is too long to be one. */
  next: number;
  size: number;
}

/** Whole lines from an offset on. A line that fills the window is skipped: nothing of ours is that long. */
export function readRows(file: string, from: number, most: number): Rows {
  const window = readWindow(file, from, most);
  if (window === null) return { rows: [], next: 0, size: 0 };
  // A file that was replaced by a shorter one is read anew.
  if (from > window.size) return readRows(file, 0, most);
  const end = window.bytes.lastIndexOf(0x0a);
  if (end === -1)
    return { rows: [], next: window.bytes.length >= most ? window.to : window.from, size: window.size };
  const rows = window.bytes.toString("utf8", 0, end).split("\n");
  return { rows, next: window.from + end + 1, size: window.size };
}
