import type { LanguageName } from "./languages.ts";

/** Where a line of the extracted source stands in the notebook: the number of the cell and of the line in it, from 1. */
export interface CellLine {
  cell: number;
  line: number;
}

export type NotebookSource =
  | { status: "read"; language: LanguageName | null; text: string; lines: CellLine[] }
  | { status: "unreadable"; reason: string };

const MAX_CELLS = 10_000;

/**
 * The code cells of a notebook as one source text, cells separated by a blank line, with the origin of every line
 * (`lines[0]` is that of line 1). What only a notebook understands (`%time`, `!pip install`, `?help`) becomes a comment
 * of the same length, so that the rest parses and columns stay.
 */
export function notebookSource(json: string): NotebookSource {
  let notebook: unknown;
  try {
    notebook = JSON.parse(json.replace(/^\uFEFF/, ""));
  } catch {
    return { status: "unreadable", reason: "is not JSON" };
  }
  const cells = cellsOf(notebook);
  if (!cells) return { status: "unreadable", reason: "has no list of cells" };
  const text: string[] = [];
  const lines: CellLine[] = [];
  const push = (line: string, cell: number, number: number) => {
    text.push(line);
    lines.push({ cell, line: number });
  };
  const language = languageOfNotebook(notebook);
  for (const [index, cell] of cells.slice(0, MAX_CELLS).entries()) {
    const source = codeOf(cell);
    if (source === null) continue;
    const cellLines = source.split(/\r\n|\r|\n/);
    const foreign = /^\s*%%(?!time|capture|prun)\w/.test(cellLines[0] ?? "");
    for (const [number, line] of cellLines.entries()) {
      push(language === "python" ? plainPython(line, foreign) : line, index + 1, number + 1);
    }
    push("", index + 1, cellLines.length);
  }
  return { status: "read", language, text: text.join("\n"), lines };
}

/** Version 4 has cells, version 3 had them in worksheets. */
function cellsOf(notebook: unknown): unknown[] | null {
  const cells = field(notebook, "cells");
  if (Array.isArray(cells)) return cells;
  const sheets = field(notebook, "worksheets");
  if (!Array.isArray(sheets)) return null;
  return sheets.slice(0, MAX_CELLS).flatMap((sheet) => {
    const inner = field(sheet, "cells");
    return Array.isArray(inner) ? inner : [];
  });
}

function codeOf(cell: unknown): string | null {
  if (field(cell, "cell_type") !== "code") return null;
  const source = field(cell, "source") ?? field(cell, "input");
  if (typeof source === "string") return source;
  if (!Array.isArray(source)) return null;
  return source.filter((part) => typeof part === "string").join("");
}

function languageOfNotebook(notebook: unknown): LanguageName | null {
  const metadata = field(notebook, "metadata");
  const named =
    field(field(metadata, "language_info"), "name") ??
    field(field(metadata, "kernelspec"), "language") ??
    "python";
  const name = String(named).toLowerCase();
  if (/^i?python\d?$/.test(name)) return "python";
  if (name === "r" || name === "javascript") return name;
  return null;
}

function plainPython(line: string, foreign: boolean): string {
  const isMagic = foreign || /^\s*[%!?]/.test(line) || /^[\w.]+\?{1,2}\s*$/.test(line);
  if (!isMagic || line.trim() === "") return line;
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  return `${line.slice(0, indent)}#${line.slice(indent + 1)}`;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
