import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import type { TableProblem } from "../table.ts";
import { readJson } from "./reader.ts";
import type { JsonValue } from "./value.ts";

const CHUNK = 1 << 20;
const LINE_FEED = 10;

/** The longest line that is read, in bytes. */
const LONGEST_LINE = 64 * 2 ** 20;

/** One line, counted from 1, or why the file cannot be read any further. */
export type JsonLine = { ok: true; value: JsonValue; number: number } | { ok: false; problem: TableProblem };

/**
 * Reads a file of one JSON value a line, of any size: only one line is in memory. A problem ends the reading. An
 * empty line is a problem like any other text that is not JSON, but the last line need not end in a line feed.
 */
export function* readJsonLines(path: string, longestLine = LONGEST_LINE): Generator<JsonLine> {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    yield failed("UNREADABLE", `The file cannot be read: ${(error as Error).message}.`);
    return;
  }
  const keys = new Map<string, string>();
  let number = 0;
  try {
    for (const bytes of readLines(descriptor, longestLine)) {
      const line = parseLine(bytes, ++number, longestLine, keys);
      yield line;
      if (!line.ok) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

function parseLine(
  bytes: Buffer | null,
  number: number,
  longestLine: number,
  keys: Map<string, string>,
): JsonLine {
  if (bytes === null)
    return failed("FIELD_TOO_LONG", `Line ${number} is longer than ${longestLine} bytes.`, number);
  if (!isUtf8(bytes)) return failed("NOT_UTF8", `Line ${number} is not UTF-8.`, number);
  const outcome = readJson(bytes.toString("utf8"), "python", keys);
  if (outcome.ok) return { ok: true, value: outcome.value, number };
  const place = `line ${number}, character ${outcome.offset + 1}`;
  return failed("UNREADABLE", `The file is not JSON at ${place}: ${outcome.problem}.`, number);
}

/** The bytes of each line, valid until the next one is asked for; null for one that is too long, which is the last. */
function* readLines(descriptor: number, longestLine: number): Generator<Buffer | null> {
  let buffer = Buffer.allocUnsafe(CHUNK);
  let start = 0;
  let searched = 0;
  let end = 0;
  for (;;) {
    const lineEnd = buffer.subarray(0, end).indexOf(LINE_FEED, searched);
    if ((lineEnd < 0 ? end : lineEnd) - start > longestLine) return yield null;
    if (lineEnd >= 0) {
      yield buffer.subarray(start, lineEnd);
      start = lineEnd + 1;
      searched = start;
      continue;
    }
    buffer.copyWithin(0, start, end);
    end -= start;
    start = 0;
    searched = end;
    if (end === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const count = readSync(descriptor, buffer, end, buffer.length - end, null);
    end += count;
    if (count > 0) continue;
    if (end > 0) yield buffer.subarray(0, end);
    return;
  }
}

function failed(code: TableProblem["code"], message: string, row?: number): JsonLine {
  return { ok: false, problem: row === undefined ? { code, message } : { code, message, row } };
}
