import type { Answers } from "./answers.ts";
import type { PublicFile } from "./reading/public-files.ts";

/** A public file that belongs to one row of the answers, by its path. */
export interface TestItem {
  file: PublicFile;
  row: number;
  /** The path without the id: what the path says besides it. */
  rest: string;
}

/** The files whose path names an id of the test set. Files of the train side are left out. */
export function testItems(files: readonly PublicFile[], answers: Answers): TestItem[] {
  const numeric = numericIds(answers);
  const items: TestItem[] = [];
  for (const file of files) {
    if (file.side === "train") continue;
    const found =
      findId(file.path, answers) ?? (file.side === "test" ? findNumber(file.path, numeric) : null);
    if (found !== null) items.push({ file, ...found });
  }
  return items;
}

type Found = { row: number; rest: string };

function findId(path: string, answers: Answers): Found | null {
  const segments = path.split("/");
  for (let i = segments.length - 1; i >= 0; i--) {
    const row = answers.find(segments[i]);
    if (row !== undefined) return { row, rest: without(segments, i, answers.ids[row]) };
    for (const prefix of prefixes(segments[i])) {
      const start = answers.find(prefix);
      if (start !== undefined) return { row: start, rest: without(segments, i, prefix) };
    }
  }
  return null;
}

/** `abfa01268-anatomical-structure.json` is also `abfa01268-anatomical` and `abfa01268`. Short texts would match by chance. */
function* prefixes(segment: string): Generator<string> {
  for (let at = segment.length - 1; at >= 5; at--) if (/[-_.]/.test(segment[at])) yield segment.slice(0, at);
}

function without(segments: string[], index: number, id: string): string {
  return segments
    .map((segment, i) => (i === index ? segment.replace(stemOf(segment, id), "*") : segment))
    .join("/");
}

function stemOf(segment: string, id: string): string {
  return segment.includes(id) ? id.replace(/\.[a-z][a-z0-9]{1,4}$/i, "") : segment;
}

/** Ids that are numbers, by their value: recording 0025 may lie in `Sample00025.zip`. */
function numericIds(answers: Answers): Map<number, number> | null {
  const rows = new Map<number, number>();
  for (const [row, id] of answers.ids.entries()) {
    if (!/^\d{1,15}$/.test(id)) return null;
    rows.set(Number(id), row);
  }
  return rows;
}

function findNumber(path: string, numeric: Map<number, number> | null): Found | null {
  if (numeric === null) return null;
  const segments = path.split("/");
  for (let i = segments.length - 1; i >= 0; i--) {
    const digits = /(\d{1,15})\D*$/.exec(segments[i].replace(/\.[^.]*$/, ""))?.[1];
    const row = digits === undefined ? undefined : numeric.get(Number(digits));
    if (digits !== undefined && row !== undefined) return { row, rest: without(segments, i, digits) };
  }
  return null;
}
