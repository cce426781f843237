import { malformed } from "../stop-preparing.ts";
import type { RawCsv } from "./raw-csv.ts";

/** Ends the preparation unless the table has these columns and no others, in whatever order. */
export function requireColumnSet(csv: RawCsv, names: readonly string[]): void {
  const other = csv.header.filter((name) => !names.includes(name));
  const absent = names.filter((name) => !csv.header.includes(name));
  if (other.length + absent.length > 0)
    malformed(csv.name, `has the columns ${csv.header.join(", ")} instead of ${names.join(", ")}`);
}

/** The same, and in this order. */
export function requireColumnList(csv: RawCsv, names: readonly string[]): void {
  if (csv.header.length !== names.length || names.some((name, i) => csv.header[i] !== name))
    malformed(csv.name, `has the columns ${csv.header.join(", ")} instead of ${names.join(", ")}`);
}

/** Ends the preparation at the first value that stands in two rows: the original renames or sorts files by it. */
export function requireUnique(csv: RawCsv, column: string, values: readonly string[]): void {
  const seen = new Map<string, number>();
  values.forEach((value, row) => {
    const before = seen.get(value);
    if (before !== undefined)
      malformed(csv.name, `has ${column} ${value} twice, in rows ${before + 1} and ${row + 1}`);
    seen.set(value, row);
  });
}

/** Ends the preparation where pandas cannot read columns under the types that the original names. */
export function requireTypes(csv: RawCsv, types: Readonly<Record<string, "int" | "float">>): void {
  for (const [name, type] of Object.entries(types)) {
    const modes = csv.modes.get(name) ?? malformed(csv.name, `has no column ${name}`);
    const fits = (mode: string) =>
      type === "int" ? mode === "int" : mode !== "text" && mode !== "verbatim" && !mode.startsWith("bool");
    if (!modes.every(fits))
      malformed(
        csv.name,
        `has something other than ${type === "int" ? "whole numbers" : "numbers"} in ${name}`,
      );
  }
}
