import fs from "node:fs";
import path from "node:path";
import { seededRandom } from "../../../learning/seeded-random.ts";
import { areCoded, areNumbers, distinctCells } from "../../baseline/reading/cells.ts";
import { readTable, tableFacts } from "../../baseline/reading/table-file.ts";
import { cutMiddle, estimateTokens } from "./tokens.ts";

const MAX_FILES = 400;
const SNIFFED_ROWS = 1000;
const SNIFFED_BYTES = 8 * 1024 * 1024;
const TEXT_FILE = /\.(md|txt|py|json|ya?ml)$/i;

/**
 * What lies in the data's folder, as far as it fits: the folders with a few names each, then every table's columns, with
 * what is in them if there is room, else their names alone.
 */
export function dataOverview(data: string, maxTokens: number): string {
  const tree = folderLines(data, 0).join("\n");
  const tables = tablesIn(data);
  for (const detailed of [true, false]) {
    const text = [tree, ...tables.map((file) => describeTable(data, file, detailed))].join("\n\n");
    if (estimateTokens(text) <= maxTokens) return text;
    if (!detailed) return cutMiddle(text, maxTokens);
  }
  return tree;
}

function folderLines(folder: string, depth: number): string[] {
  const entries = list(folder);
  const indent = "  ".repeat(depth);
  const shown = entries.length > 30 ? 4 : 8;
  const files = entries.filter((entry) => !isFolder(folder, entry));
  const lines = files
    .slice(0, shown)
    .map((entry) => `${indent}${entry.name} (${sizeOf(path.join(folder, entry.name))})`);
  if (files.length > shown) lines.push(`${indent}… and ${files.length - shown} more files`);
  for (const entry of entries.filter((one) => isFolder(folder, one)).slice(0, shown))
    lines.push(
      `${indent}${entry.name}/`,
      ...(depth < 2 ? folderLines(path.join(folder, entry.name), depth + 1) : []),
    );
  return lines;
}

const isFolder = (folder: string, entry: fs.Dirent) =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() &&
    fs.statSync(path.join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() === true);

function list(folder: string): fs.Dirent[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, 5000);
  } catch {
    return [];
  }
}

function sizeOf(file: string): string {
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function tablesIn(data: string): string[] {
  return list(data)
    .map(({ name }) => name)
    .filter((name) => /\.csv$/i.test(name) || (TEXT_FILE.test(name) && name !== "description.md"))
    .slice(0, MAX_FILES);
}

function describeTable(data: string, name: string, detailed: boolean): string {
  const file = path.join(data, name);
  if (!/\.csv$/i.test(name)) return `${name}: text, ${sizeOf(file)}`;
  const facts = tableFacts(file, SNIFFED_BYTES);
  if (facts === null) return `${name}: not a table`;
  const head = `${name}: about ${facts.rows} rows, ${facts.header.length} columns`;
  if (!detailed) return `${head}: ${facts.header.join(", ")}`;
  const table = readTable(facts, { rows: SNIFFED_ROWS, mostBytes: SNIFFED_BYTES });
  if (table === null) return head;
  const lines = table.header.map((column, at) => {
    const cells = table.columns[at];
    if (areNumbers(cells)) {
      const known = cells.numbers.filter((value) => !Number.isNaN(value));
      const missing = cells.length - known.length;
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
      return `  ${column}: numbers from ${low} to ${high}${missing > 0 ? `, ${missing} of ${cells.length} missing` : ""}`;
    }
    const distinct = areCoded(cells) ? [...distinctCells(cells)] : null;
    const some = (distinct ?? [...cells].slice(0, 3)).slice(0, 8).map((cell) => cell.slice(0, 60));
    return `  ${column}: ${distinct === null ? "texts" : `${distinct.length} different values`}, such as ${some.join(" | ")}`;
  });
  return [head, ...lines].join("\n");
}

/** The order of a list says nothing, and is not always the same: models take the first ones. */
export function shuffled<T>(from: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  const list = [...from];
  for (let i = list.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [list[i], list[other]] = [list[other], list[i]];
  }
  return list;
}
