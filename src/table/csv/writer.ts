import { fixedText, float32Text, generalText } from "../cells/float-format.ts";
import { floatText } from "../python-text.ts";

/** What pandas would call the column's type. It decides how a cell prints: 1 is `1` as an integer and `1.0` as a float. */
export type CsvColumnKind = "int" | "float" | "float32" | "bool" | "text";

export interface CsvColumn {
  readonly name: string;
  readonly kind: CsvColumnKind;
}

/** A value of the column's kind. Missing is null, undefined or NaN; a number in a text column is a programming error. */
export type CsvCell = string | number | bigint | boolean | null | undefined;

export interface CsvStyle {
  readonly separator?: "," | "\t";
  /** `nonnumeric` quotes every text and header, and writes a missing value as `""`. */
  readonly quoting?: "minimal" | "nonnumeric";
  /** As `float_format`: applies to float columns only. The default is the shortest text that reads back. */
  readonly floats?: "shortest" | "%.10f" | "%.10g";
}

/**
 * Rows as pandas' `to_csv(index=False)` prints them, each ending in a line feed, handed to `write` one by one. The header is written at
 * once. A written index column is an ordinary integer column whose name is empty.
 */
export function csvWriter(
  columns: readonly CsvColumn[],
  write: (row: string) => void,
  style: CsvStyle = {},
): (cells: readonly CsvCell[]) => void {
  const separator = style.separator ?? ",";
  const quoted = style.quoting === "nonnumeric";
  const text = quoted ? csvQuoted : (value: string) => csvField(value, separator);
  const missing = quoted ? '""' : "";
  const printers = columns.map(({ kind }) => cellPrinter(kind, text, missing, style.floats ?? "shortest"));
  write(
    csvRow(
      columns.map(({ name }) => text(name)),
      separator,
    ),
  );
  return (cells) => {
    let row = printers[0](cells[0]);
    if (printers.length === 1 && row === "") row = '""';
    for (let i = 1; i < printers.length; i++) row += separator + printers[i](cells[i]);
    write(`${row}\n`);
  };
}

/** Fields that are already formatted and quoted, as one row. A lone empty field is written `""`, else the row would be a blank line. */
export function csvRow(fields: readonly string[], separator: "," | "\t" = ","): string {
  if (fields.length === 1 && fields[0] === "") return '""\n';
  return `${fields.join(separator)}\n`;
}

/** A text with minimal quoting. A carriage return alone does not cause quotes, as in Python up to 3.12. */
export function csvField(text: string, separator: "," | "\t" = ","): string {
  return text.includes(separator) || text.includes('"') || text.includes("\n") ? csvQuoted(text) : text;
}

/** A text in quotes, inner quotes doubled. */
export function csvQuoted(text: string): string {
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

/** A float as pandas prints it: Python's `repr`, and nothing at all for NaN. */
export function csvFloat(value: number): string {
  return Number.isNaN(value) ? "" : floatText(value);
}

function cellPrinter(
  kind: CsvColumnKind,
  text: (value: string) => string,
  missing: string,
  floats: NonNullable<CsvStyle["floats"]>,
): (cell: CsvCell) => string {
  const print = valuePrinter(kind, text, floats);
  return (cell) => (cell === null || cell === undefined || Number.isNaN(cell) ? missing : print(cell));
}

function valuePrinter(
  kind: CsvColumnKind,
  text: (value: string) => string,
  floats: NonNullable<CsvStyle["floats"]>,
): (value: string | number | bigint | boolean) => string {
  switch (kind) {
    case "text":
      return (value) => text(value as string);
    case "bool":
      return (value) => (value ? "True" : "False");
    case "int":
      return String;
    case "float":
    case "float32": {
      const shortest = kind === "float" ? floatText : float32Text;
      const print = { shortest, "%.10f": fixed10, "%.10g": general10 }[floats];
      return (value) => print(value as number);
    }
  }
}

function fixed10(value: number): string {
  return fixedText(value, 10);
}

function general10(value: number): string {
  return generalText(value, 10);
}
