import fs from "node:fs";
import path from "node:path";
import { type FileShape, fileShape, firstDifference } from "./compare-files.ts";

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
