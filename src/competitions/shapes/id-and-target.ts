import type { Column } from "../../table/columns/column.ts";
import type { Alignment } from "../../table/rows/align-ids.ts";
import type { Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { requireColumns, requireRowCount, requireSameIds } from "./checks.ts";

/**
 * What the most common format demands: an id column and a target column, and the answers' ids, each once. Either
 * part is null when it has problems; the other is still there, so that its own problems can be reported too.
 */
export function requireIdAndTarget(
  tables: Tables,
  id: string,
  target: string,
  problems: Problems,
): { alignment: Alignment | null; predicted: Column | null } {
  requireColumns(tables.submission, [id, target], problems);
  requireRowCount(tables, problems);
  const hasIds = tables.submission.column(id) !== undefined;
  return {
    alignment: hasIds ? requireSameIds(tables, id, problems) : null,
    predicted: tables.submission.column(target) ?? null,
  };
}
