import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pipeline } from "node:stream/promises";
import { regularFiles } from "../../files/folder-digest.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { csvField, csvRow } from "../../table/csv/writer.ts";
import { readRecords } from "../audit/reading/record-stream.ts";
import { shownPath } from "./file-names.ts";
import { headerCells, renameHeader } from "./header.ts";
import { namesSource, rewriteJson } from "./json-values.ts";
import { anyWord } from "./text.ts";

const MAX_HEADER = 2 ** 20;

/** The first line of a file, without its line end; null when it is longer than any header. */
function firstLine(file: string): string | null {
  const handle = fs.openSync(file, "r");
  try {
    const buffer = Buffer.alloc(MAX_HEADER);
    const read = fs.readSync(handle, buffer, 0, MAX_HEADER, 0);
    const end = buffer.subarray(0, read).indexOf(10);
    if (end === -1 && read === MAX_HEADER) return null;
    return buffer.subarray(0, end === -1 ? read : end).toString("utf8");
  } finally {
    fs.closeSync(handle);
  }
}

/** The header of the sample submission, wherever it lies; empty where there is none. */
export function sampleHeader(folder: string, sampleName: string): string {
  const name = regularFiles(folder).find((one) => path.basename(one) === sampleName);
  return name === undefined ? "" : (firstLine(path.join(folder, name))?.replace(/\r$/, "") ?? "");
}

/** Names that say nothing, and that tools look for. */
const PLAIN = /^(id|index|text|label|target|class|file|name|type|date|time|value|x\d*|y\d*|)$/i;

/**
 * A new name for every column of the tables in a folder, in the order in which they are met. Columns that only the sample
 * submission has are classes: their names are values of the training data, and stay.
 */
export function columnNames(folder: string, sampleName: string): Map<string, string> {
  const tables = regularFiles(folder).filter((name) => name.endsWith(".csv"));
  const others = tables.filter((name) => path.basename(name) !== sampleName);
  const names = new Map<string, string>();
  const given = new Set<string>();
  for (const table of others) {
    const line = firstLine(path.join(folder, table));
    for (const cell of line === null ? [] : (headerCells(line.replace(/\r$/, "")) ?? [])) {
      const name = cell.trim();
      given.add(name);
      if (!PLAIN.test(name) && !names.has(name))
        names.set(name, `column_${String(names.size + 1).padStart(3, "0")}`);
    }
  }
  // Data that call a column so themselves would be mixed up.
  return [...names.values()].some((name) => given.has(name)) ? new Map() : names;
}

/**
 * Copies a public folder under other names. Tables get another header, and cells that name the source another word, but for
 * columns that a submission has: ids and labels must come back as they are. So do texts of JSON files. Everything else is
 * linked, not copied.
 */
export async function disguiseFolder(
  from: string,
  to: string,
  { words, columns, files, sample }: Omit<TableRules, "kept"> & { sample: string },
): Promise<void> {
  const kept = new Set(headerCells(sample) ?? []);
  for (const name of regularFiles(from)) {
    const target = path.join(to, shownPath(name, files));
    makeFolder(path.dirname(target));
    const source = path.join(from, name);
    if (name.endsWith(".csv")) await copyTable(source, target, { words, columns, files, kept });
    else if (name.endsWith(".json")) copyJson(source, target, words);
    else if (path.basename(name) !== "description.md") link(source, target);
  }
}

interface TableRules {
  words: readonly string[];
  columns: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
  kept: ReadonlySet<string>;
}

/** Files below folders keep their names, and cells that name them must still find them. */
const NOT_A_FILE =
  /(?![\w-]*\.(jpe?g|png|gif|bmp|tiff?|dcm|nii|wav|mp3|mp4|avi|flac|aiff?|npy|npz|h5|csv|jsonl?|txt|parquet|zip)(?![\p{L}\p{N}]))/u;

function telling(names: readonly string[]): RegExp {
  const words = anyWord(names.toSorted((a, b) => b.length - a.length));
  return new RegExp(`${words.source}${NOT_A_FILE.source}`, words.flags);
}

function copyJson(from: string, to: string, words: readonly string[]): void {
  const pattern = telling(words);
  if (namesSource(from, pattern)) rewriteJson(from, to, pattern);
  else link(from, to);
}

async function copyTable(from: string, to: string, rules: TableRules): Promise<void> {
  const line = firstLine(from);
  if (line === null) return link(from, to);
  const pattern = telling([...rules.words, ...rules.files.keys()]);
  if (await mentions(from, pattern)) return rewriteTable(from, to, { ...rules, pattern });
  const target = fs.createWriteStream(to);
  target.write(renameHeader(line, rules.columns));
  await pipeline(fs.createReadStream(from, { start: Buffer.byteLength(line) }), target);
}

/** Line by line, so that a word is never cut in two. */
async function mentions(file: string, pattern: RegExp): Promise<boolean> {
  const lines = readline.createInterface({
    input: fs.createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) if (line.search(pattern) !== -1) return true;
  return false;
}

const MANY = 2 ** 20;

function rewriteTable(
  from: string,
  to: string,
  { columns, files, kept, pattern }: TableRules & { pattern: RegExp },
): void {
  const handle = fs.openSync(to, "w");
  let waiting = "";
  const write = (row: string) => {
    waiting += row;
    if (waiting.length < MANY) return;
    fs.writeSync(handle, waiting);
    waiting = "";
  };
  try {
    const plain = (found: string) => files.get(found) ?? "source";
    const end = readRecords(from, from, Number.POSITIVE_INFINITY, (names) => {
      write(csvRow(names.map((name) => csvField(columns.get(name) ?? name))));
      const isKept = names.map((name) => kept.has(name));
      return (cells) => {
        write(csvRow(cells.map((cell, i) => csvField(isKept[i] ? cell : cell.replace(pattern, plain)))));
        return true;
      };
    });
    if (end.problem !== null) throw new Error(`${from} cannot be read: ${end.problem}`);
    fs.writeSync(handle, waiting);
  } finally {
    fs.closeSync(handle);
  }
}

function link(from: string, to: string): void {
  try {
    fs.linkSync(from, to);
  } catch {
    // Another file system, or one without links.
    fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE);
  }
}
