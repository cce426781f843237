import { closeSync, openSync, readSync } from "node:fs";
import { fileSource } from "../../../table/csv/byte-source.ts";
import { csvLayout } from "../../../table/csv/layout.ts";
import { type CellSink, scanCsv } from "../../../table/csv/scanner.ts";
import { readJsonLines } from "../../../table/json/lines.ts";
import { readJsonParts } from "../../../table/json/parts.ts";
import { readJson } from "../../../table/json/reader.ts";
import type { JsonObject, JsonValue } from "../../../table/json/value.ts";
import { pythonJson } from "../../../table/json/writer.ts";

/** Takes the rows of one table; false ends the reading. */
export type RowTaker = (cells: string[]) => boolean;

/** Called for each table of a file; null when its rows are not wanted. `part` is the key of a list inside a JSON file, else empty. */
export type TableOpener = (columns: string[], part: string) => RowTaker | null;

/** `cut`: the file is longer than the limit. `problem`: it is not a table from some point on. */
export interface ReadEnd {
  cut: boolean;
  problem: string | null;
}

const FIELD_BYTES = 64 * 2 ** 20;
const LONGEST_NESTED = 4000;
const PEEKED = 32;
const SHORT = 24;
/** In memory a parsed value is many times as large as its text. */
const LARGEST_VALUE = 16 * 2 ** 20;
const LONGEST_FIRST_LINE = 1 << 20;

export function isTableName(name: string): boolean {
  return /\.(csv|tsv|json|jsonl|ndjson|geojson)$/i.test(name);
}

/** Reads a CSV, TSV, JSON or JSON-lines file row by row, all cells as they are spelled. Never throws on content. */
export function readRecords(location: string, name: string, byteLimit: number, open: TableOpener): ReadEnd {
  try {
    if (/\.(jsonl|ndjson)$/i.test(name) || (/\.json$/i.test(name) && isJsonLines(location)))
      return readLines(location, byteLimit, open);
    if (/\.(json|geojson)$/i.test(name)) return readDocument(location, byteLimit, open);
    return readSeparated(location, /\.tsv$/i.test(name) ? "\t" : ",", byteLimit, open);
  } catch (error) {
    return { cut: false, problem: (error as Error).message };
  }
}

function readSeparated(location: string, separator: string, byteLimit: number, open: TableOpener): ReadEnd {
  const source = fileSource(location);
  try {
    const limits = { fieldBytes: FIELD_BYTES, fileBytes: Number.POSITIVE_INFINITY };
    const layout = csvLayout(source, limits, separator.charCodeAt(0));
    if (!layout.ok) return { cut: false, problem: layout.problem.message };
    const columns = [...Array.from({ length: layout.labels }, (_, i) => `(row label ${i})`), ...layout.names];
    const take = open(columns, "");
    if (take === null) return { cut: false, problem: null };
    let cells: string[] = [];
    let cut = false;
    const sink: CellSink = {
      takesDecimals: false,
      pushDecimal: () => {},
      pushMissing: () => cells.push(""),
      pushCell: (bytes, start, end) => cells.push(decode(bytes, start, end)),
    };
    const end = scanCsv(source, {
      offset: layout.start,
      sinks: columns.map(() => sink),
      maxFields: columns.length,
      maxFieldBytes: FIELD_BYTES,
      separator: separator.charCodeAt(0),
      onRow(_, offset) {
        const wanted = take(cells);
        cells = [];
        cut = offset > byteLimit;
        return wanted && !cut;
      },
    });
    return { cut, problem: end.reason === "end" || end.reason === "stopped" ? null : end.reason };
  } finally {
    source.close();
  }
}

function decode(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT)
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
  let text = "";
  for (let i = start; i < end; i++) {
    if (bytes[i] > 127)
      return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
    text += String.fromCharCode(bytes[i]);
  }
  return text;
}

function readLines(location: string, byteLimit: number, open: TableOpener): ReadEnd {
  const table = objectTable("", open);
  let bytes = 0;
  for (const line of readJsonLines(location, LARGEST_VALUE)) {
    if (!line.ok) {
      table.end();
      return { cut: false, problem: line.problem.message };
    }
    if (line.value instanceof Map && !table.take(line.value)) break;
    bytes += roughSize(line.value);
    if (bytes > byteLimit) {
      table.end();
      return { cut: true, problem: null };
    }
  }
  table.end();
  return { cut: false, problem: null };
}

/** Some files called `.json` hold one object a line. */
function isJsonLines(location: string): boolean {
  const bytes = Buffer.alloc(LONGEST_FIRST_LINE);
  const descriptor = openSync(location, "r");
  try {
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    const end = text.indexOf("\n");
    return (
      end > 0 && text.startsWith("{") && /^\s*\{/.test(text.slice(end + 1)) && readJson(text.slice(0, end)).ok
    );
  } finally {
    closeSync(descriptor);
  }
}

/** Each list of objects is a table of its own; the members of the outer object that are not lists form one of keys and values. */
function readDocument(location: string, byteLimit: number, open: TableOpener): ReadEnd {
  let list = objectTable("", open);
  const members = objectTable("members", open);
  const end = (reason: ReadEnd) => {
    list.end();
    members.end();
    return reason;
  };
  let bytes = 0;
  for (const part of readJsonParts(location, "utf8", LARGEST_VALUE)) {
    if (part.kind === "malformed") return end({ cut: false, problem: part.problem });
    if (part.kind === "list") {
      list.end();
      list = objectTable(part.key, open);
      continue;
    }
    bytes += roughSize(part.value);
    if (bytes > byteLimit) return end({ cut: true, problem: null });
    if (part.kind === "member")
      members.take(
        new Map<string, JsonValue>([
          ["key", part.key],
          ["value", part.value],
        ]),
      );
    else if (part.value instanceof Map) list.take(part.value);
  }
  return end({ cut: false, problem: null });
}

/** Rows from objects. The columns are the keys of the first few of them, since one object may lack a key that others have. */
function objectTable(part: string, open: TableOpener) {
  const peeked: JsonObject[] = [];
  let columns: string[] | null = null;
  let taker: RowTaker | null = null;
  const start = () => {
    columns = [...new Set(peeked.flatMap((object) => [...object.keys()]))];
    taker = peeked.length > 0 ? open(columns, part) : null;
    return peeked.splice(0).every((object) => push(object));
  };
  const push = (object: JsonObject) =>
    taker?.(columns!.map((column) => jsonCell(object.get(column)))) ?? false;
  return {
    take(object: JsonObject): boolean {
      if (columns !== null) return push(object);
      peeked.push(object);
      return peeked.length < PEEKED || start();
    },
    end(): void {
      if (columns === null) start();
    },
  };
}

function jsonCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "object") return pythonJson(value).slice(0, LONGEST_NESTED);
  return String(value);
}

function roughSize(value: JsonValue): number {
  if (typeof value === "string") return value.length + 2;
  if (value === null || typeof value !== "object") return 8;
  let size = 2;
  for (const item of value.values()) size += roughSize(item);
  return size + (value instanceof Map ? value.size * 8 : 0);
}
