import type { Cells } from "./cells.ts";
import { readTable, tableFacts } from "./table-file.ts";

/** A table, column by column; what is not there is an empty cell. */
export interface TextTable {
  readonly header: readonly string[];
  readonly rows: number;
  readonly columns: readonly Cells[];
}

/** All of a table as it is written; null for a file that is none. */
export function readTextTable(file: string): TextTable | null {
  const facts = tableFacts(file);
  return facts && readTable(facts, { asTexts: new Set(facts.header) });
}

/** The cells of a column, or null when there is none of that name. */
export function columnOf(table: TextTable, name: string): Cells | null {
  const at = table.header.indexOf(name);
  return at === -1 ? null : table.columns[at];
}

/** The same as an array of strings; for small tables. */
export function textsOf(table: TextTable, name: string): string[] | null {
  const cells = columnOf(table, name);
  return cells && [...cells];
}

/** For each row of the sample submission the row of the table with its id, or −1. */
export function placesOf(table: TextTable | null, sample: TextTable): Int32Array {
  const places = new Int32Array(sample.rows).fill(-1);
  const asked = sample.columns[0];
  const own = table && columnOf(table, sample.header[0]);
  if (!own) return places;
  // Mostly both are in one order, and a map of a million ids takes a hundred megabytes.
  let known: Map<string, number> | null = null;
  for (let row = 0; row < sample.rows; row++) {
    const id = asked.at(row) ?? "";
    if (own.at(row) === id) places[row] = row;
    else {
      known ??= new Map(Array.from(own, (text, at) => [text, at]));
      places[row] = known.get(id) ?? -1;
    }
  }
  return places;
}
