import type { Column } from "../../table/columns/column.ts";
import type { Table } from "../../table/table.ts";
import type { Problems } from "../problems.ts";
import { requireExactColumns } from "./checks.ts";

/** Exactly the named columns, the first of them in first place; the others in any order. */
export function requireFirstColumn(
  submission: Table,
  names: readonly string[],
  problems: Problems,
): Column[] | null {
  return inPlace(submission, names, names.slice(0, 1), problems);
}

/** Exactly the named columns, in exactly that order. */
export function requireColumnOrder(
  submission: Table,
  names: readonly string[],
  problems: Problems,
): Column[] | null {
  return inPlace(submission, names, names, problems);
}

function inPlace(
  submission: Table,
  names: readonly string[],
  placed: readonly string[],
  problems: Problems,
): Column[] | null {
  const columns = requireExactColumns(submission, names, problems);
  if (columns === null) return null;
  const misplaced = placed.findIndex((name, position) => submission.header[position] !== name);
  if (misplaced < 0) return columns;
  problems.add({
    code: "WRONG_COLUMN_ORDER",
    column: placed[misplaced],
    message: `Column ${misplaced + 1} must be "${placed[misplaced]}"; it is "${submission.header[misplaced]}".`,
  });
  return null;
}
