import { type Alignment, compareIds, type IdDifference } from "../../table/rows/align-ids.ts";
import type { Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { reportIds } from "./checks.ts";

/** How far the ids of both tables agree: row by row, or (null) only up to differences that are tolerated. */
export interface IdCoverage {
  alignment: Alignment | null;
}

/**
 * For competitions that compare ids less strictly than row by row: null, with problems, when the ids of both tables
 * differ in a way that is not tolerated. Both id columns must exist.
 */
export function requireIds(
  { submission, answers }: Tables,
  idColumn: string,
  tolerated: readonly (keyof IdDifference["counts"])[],
  problems: Problems,
): IdCoverage | null {
  const comparison = compareIds(submission.column(idColumn)!, answers.column(idColumn)!);
  if (comparison.same) return { alignment: comparison.alignment };
  const { difference } = comparison;
  const counts = { ...difference.counts };
  for (const kind of tolerated) counts[kind] = 0;
  const differs = difference.kinds !== null || Object.values(counts).some((count) => count > 0);
  if (!differs) return { alignment: null };
  reportIds({ ...difference, counts }, idColumn, problems);
  return null;
}
