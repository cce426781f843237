import { createChunkedFile } from "../../../table/csv/chunked-file.ts";
import { type CsvCell, type CsvColumn, type CsvStyle, csvWriter } from "../../../table/csv/writer.ts";

/**
 * Writes a table that is made rather than copied: typed columns, then rows one by one. For rows of a raw file use `writeRows`, which also
 * types them.
 */
export function writeCsv(
  path: string,
  columns: readonly CsvColumn[],
  rows: Iterable<readonly CsvCell[]>,
  style: CsvStyle = {},
): void {
  const file = createChunkedFile(path);
  try {
    const write = csvWriter(columns, file.write, style);
    for (const row of rows) write(row);
  } finally {
    file.close();
  }
}

/** Columns of a made table: `columns({ id: "text", label: "int" })`. */
export function columns(kinds: Readonly<Record<string, CsvColumn["kind"]>>): CsvColumn[] {
  return Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
}
