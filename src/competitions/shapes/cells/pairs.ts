import type { Alignment } from "../../../table/rows/align-ids.ts";
import type { RowPairs, Tables } from "../../grader.ts";

/** The pairs of rows that an alignment by one id column compares. */
export function pairsOf(alignment: Alignment, { answers }: Tables, idColumn: string): RowPairs {
  const rows = Uint32Array.from({ length: answers.rowCount }, (_, row) => row);
  return { submission: alignment.submissionRows ?? rows, answers: rows, idColumn };
}
