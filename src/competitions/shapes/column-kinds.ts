import type { Column } from "../../table/columns/column.ts";
import type { Problems } from "../problems.ts";

/** True/false columns beside columns of numbers: the original can add up the ones or the others, not both. */
export function requireNoMixOfBooleans(columns: readonly Column[], problems: Problems): boolean {
  const booleans = columns.filter(({ kind }) => kind === "bool");
  if (booleans.length === 0 || booleans.length === columns.length) return true;
  problems.add({
    code: "WRONG_KIND",
    column: booleans[0].name,
    message: `Column "${booleans[0].name}" holds true/false while other columns hold numbers; write 0 and 1.`,
  });
  return false;
}
