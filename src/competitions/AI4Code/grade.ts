import { countInversions } from "../../metrics/sequences/inversions.ts";
import { cellText } from "../../table/columns/column.ts";
import { words } from "../../table/python-text.ts";
import type { Problem } from "../problems.ts";
import { oneTarget } from "../shapes/one-target.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const TARGET = "cell_order";

/** Kendall's tau over all notebooks pooled: one quotient of sums, not a mean of notebooks. */
export const grade = oneTarget({
  id: "id",
  target: TARGET,
  rounding: "python",
  read: (predicted) => predicted,
  score(predicted, truth, { submissionRows }) {
    let inversions = 0;
    let pairs = 0;
    for (let row = 0; row < truth.length; row++) {
      const submittedRow = submissionRows ? submissionRows[row] : row;
      const cells = words(cellText(truth, row));
      const ranks = ranksOf(cells, words(cellText(predicted, submittedRow)));
      if ("missing" in ranks) return wrongCells(ranks, submittedRow);
      inversions += countInversions(ranks.ranks);
      pairs += cells.length * (cells.length - 1);
    }
    if (pairs === 0) return undefinedScore("No notebook of the answers has two cells.");
    return 1 - (4 * inversions) / pairs;
  },
});

interface WrongCells {
  missing: string | null;
  expected: number;
  listed: number;
}

/** The place of each cell in the submitted order, or why that order is not a permutation of the cells. */
function ranksOf(cells: string[], listed: string[]): { ranks: Int32Array } | WrongCells {
  const places = new Map<string, number>();
  for (let i = listed.length - 1; i >= 0; i--) places.set(listed[i], i);
  const missing = cells.find((cell) => !places.has(cell)) ?? null;
  if (cells.length !== listed.length || missing !== null) {
    return { missing, expected: cells.length, listed: listed.length };
  }
  return { ranks: Int32Array.from(cells, (cell) => places.get(cell)!) };
}

function wrongCells({ missing, expected, listed }: WrongCells, row: number): Problem {
  const lacks = missing === null ? "" : ` and lacks the cell "${missing}"`;
  return {
    code: "BAD_FORMAT",
    column: TARGET,
    row: row + 1,
    message: `Row ${row + 1} of "${TARGET}" lists ${listed} cells${lacks}; it must list each of the notebook's ${expected} cells once.`,
  };
}
