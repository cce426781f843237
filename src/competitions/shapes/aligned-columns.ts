import type { Column } from "../../table/columns/column.ts";
import type { Alignment } from "../../table/rows/align-ids.ts";
import type { Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { requireColumns, requireRowCount, requireSameIds } from "./checks.ts";

/** `alignment` is null, with problems, when row counts or ids differ; the columns can be checked all the same. */
export interface AlignedColumns {
  columns: Column[];
  alignment: Alignment | null;
}

/**
 * The usual opening of a check: the id and the target columns are there, and both tables hold the same ids equally
 * often. Null when a column is missing. `require` decides whether further columns may be there.
 */
export function alignedColumns(
  tables: Tables,
  id: string,
  targets: readonly string[],
  problems: Problems,
  require: typeof requireColumns = requireColumns,
): AlignedColumns | null {
  const columns = require(tables.submission, [id, ...targets], problems);
  requireRowCount(tables, problems);
  const alignment = tables.submission.column(id) ? requireSameIds(tables, id, problems) : null;
  return columns ? { columns: columns.slice(1), alignment } : null;
}
