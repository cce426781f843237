import type { Table } from "../../table/table.ts";
import type { Problems } from "../problems.ts";

/** Columns that must be there although nobody looks into them; they need not be stored. */
export function requireUnreadColumns(
  submission: Table,
  names: readonly string[],
  problems: Problems,
): boolean {
  const missing = names.filter((name) => !submission.header.includes(name));
  for (const name of missing) {
    problems.add({
      code: "MISSING_COLUMN",
      column: name,
      message: `Column "${name}" is missing; it must be there, although it is not scored.`,
    });
  }
  return missing.length === 0;
}
