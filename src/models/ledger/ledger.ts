import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { openAppending } from "../../files/plain-file.ts";
import { readRows } from "../../files/window.ts";
import { LedgerLine, type ModelTotals } from "./schema.ts";
import { addLine, noTotals } from "./totals.ts";

/** Beyond it a ledger could not be read any more; no honest trial makes a hundredth of its calls. */
export const MAX_LEDGER_BYTES = 2 ** 28;

export interface Ledger {
  /** Written when it returns. */
  append(line: Omit<LedgerLine, "seq">): LedgerLine;
  totals(): ModelTotals;
  /** No further call may be made: it would have no line. */
  isFull(): boolean;
  close(): void;
}

/** Opens a ledger for writing, and goes on with one that stands there; a file of null keeps the totals only. */
export function openLedger(file: string | null, maxBytes = MAX_LEDGER_BYTES): Ledger {
  let handle: number | null = null;
  let bytes = 0;
  const before = file === null ? [] : readLedger(file).lines;
  if (file !== null) {
    makeFolder(path.dirname(file));
    const start = startOfNext(file);
    handle = openAppending(file);
    if (start !== "") fs.writeSync(handle, start);
    bytes = fs.fstatSync(handle).size;
  }
  let seq = (before.at(-1)?.seq ?? -1) + 1;
  let totals = before.reduce(addLine, noTotals());
  return {
    append(content) {
      const line = { seq: seq++, ...content };
      // An agent that does not hear "no" must not fill the disk with it; the totals count them all.
      const isKept = line.outcome !== "refused" || totals.refused < MAX_REFUSED_LINES;
      if (handle !== null && isKept) bytes += fs.writeSync(handle, `${JSON.stringify(line)}\n`);
      totals = addLine(totals, line);
      return line;
    },
    totals: () => totals,
    isFull: () => bytes >= maxBytes,
    close() {
      if (handle !== null) fs.closeSync(handle);
      handle = null;
    },
  };
}

/** An agent may provoke a million refusals; the totals count those that have no line. */
export const MAX_REFUSED_LINES = 1000;
const HEADER = { schema: "mlebench/ledger", version: 1 };

/** What has to be written before the next line: the head of a new ledger, the end of a line that was cut off. */
function startOfNext(file: string): string {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  if (text === "") return `${JSON.stringify(HEADER)}\n`;
  return text.endsWith("\n") ? "" : "\n";
}

export interface ReadLedger {
  lines: LedgerLine[];
  /** Lines that are not a call: the last one of a killed harness. */
  unreadable: number;
}

/** No line of ours is as long; understanding one of hundreds of megabytes would end the process. */
const PIECE = 4 * 2 ** 20;

/** Reads a ledger as far as it can be read; none at all is an empty one. */
export function readLedger(file: string): ReadLedger {
  const lines: LedgerLine[] = [];
  let unreadable = 0;
  for (let offset = 0; ; ) {
    const { rows, next, size } = readRows(file, offset, PIECE);
    for (const [index, row] of rows.entries()) {
      if (row === "" || (offset === 0 && index === 0 && row.includes('"mlebench/ledger"'))) continue;
      const line = parseLine(row);
      if (line === null) unreadable++;
      else lines.push(line);
    }
    // What is left has no end: the last line of a killed harness.
    if (next <= offset) return { lines, unreadable: unreadable + (offset < size ? 1 : 0) };
    offset = next;
  }
}

function parseLine(row: string): LedgerLine | null {
  try {
    return LedgerLine.parse(JSON.parse(row));
  } catch {
    return null;
  }
}
