import { decodeUtf8 } from "../../table/columns/text-store.ts";
import { fileSource } from "../../table/csv/byte-source.ts";
import { csvLayout, DEFAULT_LIMITS } from "../../table/csv/layout.ts";
import { type CellSink, scanCsv } from "../../table/csv/scanner.ts";

const COMMA = 44;

/** The columns of a public file as texts, also where pandas would see nothing in a word such as "null". */
export function readPlainCsv(path: string): ReadonlyMap<string, readonly string[]> {
  const source = fileSource(path);
  try {
    const layout = csvLayout(source, DEFAULT_LIMITS, COMMA);
    if (!layout.ok) throw new Error(`${path}: ${layout.problem.message}`);
    const columns: string[][] = layout.names.map(() => []);
    const end = scanCsv(source, {
      offset: layout.start,
      sinks: columns.map(textSink),
      maxFields: columns.length,
      maxFieldBytes: DEFAULT_LIMITS.fieldBytes,
      onRow: () => true,
    });
    if (end.reason !== "end") throw new Error(`${path} is not a plain table (${end.reason}).`);
    return new Map(layout.names.map((name, i) => [name, columns[i]]));
  } finally {
    source.close();
  }
}

function textSink(texts: string[]): CellSink {
  return {
    takesDecimals: false,
    pushDecimal: () => {},
    pushCell: (bytes, start, end) => texts.push(decodeUtf8(bytes, start, end)),
    pushMissing: () => texts.push(""),
  };
}

/** The text of a submission: each id with its value. */
export function plainCsv(header: string, ids: readonly string[], value: (row: number) => string): string {
  return `${header}\n${ids.map((id, row) => `${id},${value(row)}\n`).join("")}`;
}
