import fs from "node:fs";
import { type Column, cellText, isMissing } from "../../table/columns/column.ts";
import { readCsvFile } from "../../table/csv/reader.ts";
import type { Table } from "../../table/table.ts";
import { sizeText } from "../../wording/sizes.ts";
import { type InitRefusal, refusal } from "./schema.ts";

/** Everything is looked at in memory; the preparer itself would not mind. */
const LARGEST_BYTES = 512 * 2 ** 20;
const SEPARATORS = [",", ";", "\t"] as const;
export type Separator = (typeof SEPARATORS)[number];

export interface OwnTableFile {
  file: string;
  bytes: number;
  separator: Separator;
  table: Table;
}

/** Reads a file that may be anything, as a table with a header; what is wrong with it comes back as a refusal. */
export function readOwnTable(file: string): OwnTableFile | InitRefusal {
  const stats = statsOf(file);
  if (stats === null)
    return refusal("NO_SUCH_FILE", `There is no file ${file}.`, "Check the path given with --train.");
  if (!stats.isFile())
    return refusal("NOT_A_FILE", `${file} is not a regular file.`, "Name one CSV file with --train.");
  if (stats.size > LARGEST_BYTES)
    return refusal(
      "TOO_LARGE",
      `${file} has ${sizeText(stats.size)}; up to ${sizeText(LARGEST_BYTES)} are looked at.`,
      "Take a part of its rows, or write the folder by hand: docs/add-a-competition.md.",
    );
  const separator = separatorOf(file);
  const read = readCsvFile(file, { separator });
  if (!read.ok) {
    const next =
      read.problem.code === "NOT_UTF8"
        ? "Save it as UTF-8, for example with: iconv -f latin1 -t utf-8 old.csv > new.csv."
        : "Correct the file; fields with separators, quotes or line ends must be quoted.";
    return refusal("NOT_A_TABLE", `${file} is not a table: ${read.problem.message}`, next);
  }
  const { table } = read;
  if (table.rowLabels !== null)
    return refusal(
      "NOT_A_TABLE",
      `${file} is not a table: its rows have more fields than its header.`,
      "Give every column a name in the first line.",
    );
  if (table.rowCount === 0)
    return refusal("NO_ROWS", `${file} has no rows below its header.`, "Give a table with rows.");
  return { file, bytes: stats.size, separator, table };
}

function statsOf(file: string): fs.Stats | null {
  try {
    return fs.statSync(file);
  } catch {
    return null;
  }
}

/** The comma, unless the header is a single column with it and several with another. */
function separatorOf(file: string): Separator {
  const columns = (separator: Separator) => {
    const read = readCsvFile(file, { separator, columns: () => [] });
    return read.ok ? read.table.header.length : 0;
  };
  if (columns(",") > 1) return ",";
  return SEPARATORS.find((separator) => columns(separator) > 1) ?? ",";
}

/** A column that must be there. */
export function columnNamed(table: Table, name: string, option: string): Column | InitRefusal {
  const column = table.column(name);
  if (column !== undefined) return column;
  const near = table.header.find((one) => one.trim().toLowerCase() === name.trim().toLowerCase());
  const shown = table.header.slice(0, 12).join(", ");
  const rest = table.header.length > 12 ? `, … (${table.header.length} in all)` : "";
  return refusal(
    "NO_SUCH_COLUMN",
    `There is no column "${name}".`,
    near === undefined
      ? `Name one with ${option}; it has: ${shown}${rest}.`
      : `Did you mean ${option} "${near}"?`,
  );
}

/** The first value that occurs twice or is missing, and how many rows are not the first of their value. */
export function repeatedValues(column: Column): { repeated: number; example: string } | null {
  const seen = new Set<string>();
  let repeated = 0;
  let example = "";
  for (let row = 0; row < column.length; row++) {
    const text = isMissing(column, row) ? "" : cellText(column, row);
    if (text !== "" && !seen.has(text)) seen.add(text);
    else if (repeated++ === 0) example = text;
  }
  return repeated === 0 ? null : { repeated, example };
}
