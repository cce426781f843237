import { indexIds } from "../../table/rows/id-index.ts";
import type { RowPairs, Tables } from "../grader.ts";
import { pairsOf } from "./cells/pairs.ts";
import type { IdCoverage } from "./id-coverage.ts";

/**
 * The inner join of both tables on one id column, in the order of the answers: an id that is submitted several times
 * makes several pairs. The answers' ids must be unique and comparable.
 */
export function joinRows(tables: Tables, idColumn: string, { alignment }: IdCoverage): RowPairs {
  if (alignment) return pairsOf(alignment, tables, idColumn);
  const { submission, answers } = tables;
  const submitted = submission.column(idColumn)!;
  const index = indexIds(answers.column(idColumn)!)!;
  const found = new Int32Array(submitted.length);
  const starts = new Uint32Array(answers.rowCount + 1);
  for (let row = 0; row < found.length; row++) {
    found[row] = index.find(submitted, row);
    if (found[row] >= 0) starts[found[row] + 1]++;
  }
  for (let row = 0; row < answers.rowCount; row++) starts[row + 1] += starts[row];
  const joined = new Uint32Array(starts[answers.rowCount]);
  const answersRows = new Uint32Array(joined.length);
  for (let row = 0; row < found.length; row++) {
    if (found[row] < 0) continue;
    const slot = starts[found[row]]++;
    joined[slot] = row;
    answersRows[slot] = found[row];
  }
  return { submission: joined, answers: answersRows, idColumn };
}
