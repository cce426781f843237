import { levenshteinOf } from "../../metrics/sequences/levenshtein.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import { parsePythonInt, words } from "../../table/python-text.ts";
import type { Problems } from "../problems.ts";
import { oneTarget } from "../shapes/one-target.ts";

/**
 * Edit distance of gesture sequences over the number of true gestures; may exceed 1. An empty cell is not an empty
 * sequence (it reads as the text `nan` and is refused), a quoted blank is.
 */
export const grade = oneTarget({
  id: "Id",
  target: "Sequence",
  rounding: "numpy",
  read: requireSequences,
  score(sequences, truth, { submissionRows }) {
    let distance = 0;
    let gestures = 0;
    for (let row = 0; row < truth.length; row++) {
      const expected = words(cellText(truth, row)).map((word) => Number(parsePythonInt(word)));
      distance += levenshteinOf(expected, sequences[submissionRows ? submissionRows[row] : row]);
      gestures += expected.length;
    }
    return distance / gestures;
  },
});

function requireSequences(column: Column, problems: Problems): number[][] | null {
  const before = problems.count;
  const sequences: number[][] = [];
  for (let row = 0; row < column.length; row++) {
    const gestures = words(cellText(column, row)).map(parsePythonInt);
    if (gestures.includes(null)) {
      problems.add({
        code: "BAD_FORMAT",
        column: column.name,
        row: row + 1,
        message: `Row ${row + 1} of "${column.name}" is "${cellText(column, row).slice(0, 60)}"; only whole numbers separated by blanks may be there.`,
      });
    }
    sequences.push(gestures.map(Number));
  }
  return problems.count === before ? sequences : null;
}
