import fs from "node:fs";
import { cellText, isMissing } from "../../table/columns/column.ts";
import { readCsvFile } from "../../table/csv/reader.ts";

/** A table as texts. Numbers are written alike, so that 0.50 is 0.5. */
export interface Texts {
  header: readonly string[];
  rows: number;
  /** Empty for a column that is not there. */
  column(name: string): string[];
}

/** Larger ones are not worth reading for a suspicion. */
const MAX_BYTES = 256 * 2 ** 20;
const MAX_ROWS = 2_000_000;

/** Null for what is not there, not a table, or too large. */
export function readTexts(file: string): Texts | null {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > MAX_BYTES) return null;
  const outcome = readCsvFile(file);
  if (!outcome.ok || outcome.table.rowCount > MAX_ROWS) return null;
  const { table } = outcome;
  const kept = new Map<string, string[]>();
  return {
    header: table.header,
    rows: table.rowCount,
    column(name) {
      const known = kept.get(name);
      if (known) return known;
      const column = table.column(name);
      const texts = column
        ? Array.from({ length: column.length }, (_, row) =>
            isMissing(column, row) ? "" : plainValue(cellText(column, row)),
          )
        : [];
      kept.set(name, texts);
      return texts;
    },
  };
}

/** Numbers by value, everything else as it is. */
export function plainValue(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "" || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed)) return trimmed;
  return String(Number(trimmed));
}

/** Truth values are written in many ways. */
export function sameValue(a: string, b: string): boolean {
  return a === b || (truth(a) !== null && truth(a) === truth(b));
}

function truth(text: string): boolean | null {
  if (/^(true|yes|t|1)$/i.test(text)) return true;
  return /^(false|no|f|0)$/i.test(text) ? false : null;
}
