import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { LedgerLine, type ModelTotals } from "./schema.ts";
import { addLine, noTotals } from "./totals.ts";

export interface Ledger {
  /** Written when it returns. */
  append(line: Omit<LedgerLine, "seq">): LedgerLine;
  totals(): ModelTotals;
  close(): void;
}

/** Opens a ledger for writing; a file of null keeps the totals only. */
export function openLedger(file: string | null): Ledger {
  let handle: number | null = null;
  if (file !== null) {
    makeFolder(path.dirname(file));
    handle = fs.openSync(file, "a", 0o644);
    if (fs.fstatSync(handle).size === 0) fs.writeSync(handle, `${JSON.stringify(HEADER)}\n`);
  }
  let seq = 0;
  let totals = noTotals();
  return {
    append(content) {
      const line = { seq: seq++, ...content };
      // An agent that does not hear "no" must not fill the disk with it; the totals count them all.
      const isKept = line.outcome !== "refused" || totals.refused < MAX_REFUSED_LINES;
      if (handle !== null && isKept) fs.writeSync(handle, `${JSON.stringify(line)}\n`);
      totals = addLine(totals, line);
      return line;
    },
    totals: () => totals,
    close() {
      if (handle !== null) fs.closeSync(handle);
      handle = null;
    },
  };
}

const MAX_REFUSED_LINES = 1000;
const HEADER = { schema: "mlebench/ledger", version: 1 };

export interface ReadLedger {
  lines: LedgerLine[];
  /** Lines that are not a call: the last one of a killed harness. */
  unreadable: number;
}

/** Reads a ledger as far as it can be read; none at all is an empty one. */
export function readLedger(file: string): ReadLedger {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch {
    return { lines: [], unreadable: 0 };
  }
  const lines: LedgerLine[] = [];
  let unreadable = 0;
  for (const [index, row] of text.split("\n").entries()) {
    if (row === "" || (index === 0 && row.includes('"mlebench/ledger"'))) continue;
    const line = parseLine(row);
    if (line === null) unreadable++;
    else lines.push(line);
  }
  return { lines, unreadable };
}

function parseLine(row: string): LedgerLine | null {
  try {
    return LedgerLine.parse(JSON.parse(row));
  } catch {
    return null;
  }
}
