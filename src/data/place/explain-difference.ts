import fs from "node:fs";
import path from "node:path";

const SHAPED = new Set([".csv", ".jsonl"]);
const FEW = 6;

/**
 * Says in sentences how a file differs from what was expected. Of the expected one only a checksum is known, unless
 * `earlier` names a version of the file that the user has; then rows, columns and the first differing line are compared.
 */
export function explainDifference(
  file: string,
  earlier: { file: string; isExpected: boolean } | null,
): string[] {
  const kind = path.extname(file).toLowerCase();
  const shape = SHAPED.has(kind) ? fileShape(file, kind === ".csv") : null;
  if (earlier === null)
    return [`It has ${sizeText(file, shape)}; no other version is at hand to compare it with.`];
  const whose = earlier.isExpected ? "the expected file" : "your earlier version";
  const before = shape === null ? null : fileShape(earlier.file, kind === ".csv");
  const sentences = [`It has ${sizeText(file, shape)}; ${whose} has ${sizeText(earlier.file, before)}.`];
  if (shape?.columns && before?.columns)
    sentences.push(...columnSentences(shape.columns, before.columns, whose));
  const difference = firstDifference(file, earlier.file);
  if (difference === null) sentences.push(`It is equal to ${whose}.`);
  else if (shape === null) sentences.push(`The first differing byte is number ${difference.byte + 1}.`);
  else {
    const [ours, theirs] = difference.lines.map((line) =>
      line === null ? "nothing (the end)" : JSON.stringify(line),
    );
    sentences.push(`The first differing line is ${difference.line}: ${ours} here, ${theirs} in ${whose}.`);
  }
  return sentences;
}

function sizeText(file: string, shape: FileShape | null): string {
  if (shape === null) return `${fs.statSync(file).size} bytes`;
  const columns = shape.columns === null ? "" : ` and ${shape.columns.length} columns`;
  return `${shape.rows} rows${columns} (${shape.bytes} bytes)`;
}

function columnSentences(ours: string[], theirs: string[], whose: string): string[] {
  const missing = theirs.filter((name) => !ours.includes(name));
  const extra = ours.filter((name) => !theirs.includes(name));
  const sentences: string[] = [];
  if (missing.length > 0) sentences.push(`Columns missing here: ${few(missing)}.`);
  if (extra.length > 0) sentences.push(`Columns not in ${whose}: ${few(extra)}.`);
  if (sentences.length === 0 && ours.some((name, i) => name !== theirs[i]))
    sentences.push(`The columns are the same in another order.`);
  return sentences;
}

function few(names: string[]): string {
  const shown = names.slice(0, FEW).join(", ");
  return names.length > FEW ? `${shown}, … (${names.length} in all)` : shown;
}

/** Where two files part: byte, line and the beginnings of both lines. Null when they are equal. */
interface FirstDifference {
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
function firstDifference(one: string, other: string): FirstDifference | null {
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

interface FileShape {
  bytes: number;
  /** Records; line ends inside quotes do not count, nor does the header of a CSV file. */
  rows: number;
  /** The header's fields, of a CSV file only. */
  columns: string[] | null;
}

/** Size, rows and columns of a CSV or JSON Lines file, counted in pieces. */
function fileShape(file: string, isCsv: boolean): FileShape {
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
