import fs from "node:fs";

/** Where two files part: byte, line and the beginnings of both lines. Null when they are equal. */
export interface FirstDifference {
  byte: number;
  /** Lines count from 1; the header is line 1. */
  line: number;
  /** Null when the file has ended before that line. */
  lines: [string | null, string | null];
}

const CHUNK = 2 ** 20;
const SHOWN = 160;
const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Compares two files of any size in pieces, up to the first difference. */
export function firstDifference(one: string, other: string): FirstDifference | null {
  const files = [fs.openSync(one, "r"), fs.openSync(other, "r")];
  const chunks = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  try {
    for (;;) {
      const [a, b] = files.map((file, i) => chunks[i].subarray(0, readFully(file, chunks[i], offset)));
      const shared = Math.min(a.length, b.length);
      let at = a.compare(b, 0, shared, 0, shared) === 0 ? shared : 0;
      while (at < shared && a[at] === b[at]) at++;
      for (let found = a.indexOf(NEWLINE); found >= 0 && found < at; found = a.indexOf(NEWLINE, found + 1)) {
        line++;
        lineStart = offset + found + 1;
      }
      if (at < shared || a.length !== b.length) {
        const lines = files.map((file) => lineFrom(file, lineStart)) as FirstDifference["lines"];
        return { byte: offset + at, line, lines };
      }
      if (shared === 0) return null;
      offset += shared;
    }
  } finally {
    for (const file of files) fs.closeSync(file);
  }
}

export interface FileShape {
  bytes: number;
  /** Records; line ends inside quotes do not count, nor does the header of a CSV file. */
  rows: number;
  /** The header's fields, of a CSV file only. */
  columns: string[] | null;
}

/** Size, rows and columns of a CSV or JSON Lines file, counted in pieces. */
export function fileShape(file: string, isCsv: boolean): FileShape {
  const handle = fs.openSync(file, "r");
  const chunk = Buffer.alloc(CHUNK);
  let bytes = 0;
  let ends = 0;
  let quoted = false;
  let last = NEWLINE;
  let header = "";
  try {
    for (;;) {
      const length = readFully(handle, chunk, bytes);
      if (length === 0) break;
      for (let i = 0; i < length; i++) {
        if (isCsv && chunk[i] === QUOTE) quoted = !quoted;
        else if (chunk[i] === NEWLINE && !quoted) {
          if (ends === 0 && bytes === 0) header = chunk.toString("utf8", 0, i);
          ends++;
        }
      }
      last = chunk[length - 1];
      bytes += length;
    }
  } finally {
    fs.closeSync(handle);
  }
  const records = ends + (last === NEWLINE ? 0 : 1);
  if (!isCsv) return { bytes, rows: records, columns: null };
  return { bytes, rows: Math.max(0, records - 1), columns: fields(header) };
}

/** Good enough for the headers pandas writes: quotes around a name, no line ends in it. */
function fields(header: string): string[] {
  const found = header.replace(/\r$/, "").match(/("(?:[^"]|"")*"|[^,]*)(,|$)/g) ?? [];
  return found.slice(0, found.at(-1) === "" && !header.endsWith(",") ? -1 : undefined).map((field) =>
    field
      .replace(/,$/, "")
      .replace(/^"(.*)"$/, "$1")
      .replaceAll('""', '"'),
  );
}

function lineFrom(file: number, start: number): string | null {
  const chunk = Buffer.alloc(SHOWN * 4);
  const length = readFully(file, chunk, start);
  if (length === 0) return null;
  const end = chunk.subarray(0, length).indexOf(NEWLINE);
  const text = chunk.toString("utf8", 0, end < 0 ? length : end);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function readFully(file: number, chunk: Buffer, position: number): number {
  let length = 0;
  while (length < chunk.length) {
    const read = fs.readSync(file, chunk, length, chunk.length - length, position + length);
    if (read === 0) break;
    length += read;
  }
  return length;
}
