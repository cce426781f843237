import fs from "node:fs";
import { createChunkedFile } from "../../../table/csv/chunked-file.ts";
import { csvField, csvRow } from "../../../table/csv/writer.ts";
import { readTextTable } from "../../baseline/reading/text-table.ts";

/** A table as rows of texts: predictions and what they are compared with. */
export interface Rows {
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Larger tables are left alone: the search then believes what scripts report. */
const MAX_BYTES = 300 * 1024 * 1024;
/** A table of short cells takes nine times its size once it is read; programs need their part, too. */
const MEMORY_SHARE = 1 / 16;

/** The largest table that fits into so much memory; Infinity or 0: nobody knows of a limit. */
export const largestTable = (memoryBytes: number) =>
  memoryBytes > 0 ? Math.min(MAX_BYTES, MEMORY_SHARE * memoryBytes) : MAX_BYTES;

/** Null for what is not there, not a table, or too large to be held. */
export function readRows(file: string, mostBytes = MAX_BYTES): Rows | null {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > mostBytes) return null;
  const table = readTextTable(file);
  if (table === null) return null;
  const rows = Array.from({ length: table.rows }, (_, row) =>
    table.columns.map((cells) => cells.at(row) ?? ""),
  );
  return { header: table.header, rows };
}

export function writeRows(file: string, { header, rows }: Rows): void {
  fs.rmSync(file, { force: true });
  const out = createChunkedFile(file);
  for (const row of [header, ...rows]) out.write(csvRow(row.map((cell) => csvField(cell))));
  out.close();
}

/** As the competition wants it: the ids of the sample in their order, whatever else was predicted. */
export function writeSubmission(
  file: string,
  sample: Rows,
  cells: ReadonlyMap<string, readonly string[]>,
): void {
  writeRows(file, {
    header: sample.header,
    rows: sample.rows.map(([id]) => [id, ...(cells.get(id) ?? [])]),
  });
}
