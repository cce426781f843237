import type { Column } from "../../table/columns/column.ts";
import type { Alignment } from "../../table/rows/align-ids.ts";
import type { Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { alignedColumns } from "./aligned-columns.ts";
import type { requireColumns } from "./checks.ts";

export interface ScoreColumns {
  id: string;
  targets: readonly string[];
  /** Which header is accepted; when left out, further columns may be there. */
  header?: typeof requireColumns;
  /** What the cells of a target must be; null after adding problems. */
  read: (column: Column, problems: Problems) => Float64Array | null;
}

export interface AlignedScores {
  alignment: Alignment;
  /** One list a target, in the submission's own order of rows. */
  scores: Float64Array[];
}

/** The check of a submission that gives numbers for the ids of the answers, each id as often as they have it. */
export function alignedScores(
  tables: Tables,
  { id, targets, header, read }: ScoreColumns,
  problems: Problems,
): AlignedScores | null {
  const found = alignedColumns(tables, id, targets, problems, header);
  if (!found) return null;
  const scores = found.columns.flatMap((column) => read(column, problems) ?? []);
  const { alignment } = found;
  return alignment && scores.length === targets.length ? { alignment, scores } : null;
}
