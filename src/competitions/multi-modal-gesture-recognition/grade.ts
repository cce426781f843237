import { levenshteinOf } from "../../metrics/sequences/levenshtein.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import { parsePythonInt, words } from "../../table/python-text.ts";
import { defineGrader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";

/**
 * Edit distance of gesture sequences over the number of true gestures; may exceed 1. An empty cell is not an empty
 * sequence (it reads as the text `nan` and is refused), a quoted blank is.
 */
export const grade = defineGrader({
  submission: ["Id", "Sequence"],
  keys: ["Id"],
  values: ["Sequence"],
  rounding: "numpy",
  check(tables, problems) {
    const { alignment, predicted } = requireIdAndTarget(tables, "Id", "Sequence", problems);
    const sequences = predicted ? requireSequences(predicted, problems) : null;
    return alignment && sequences ? { alignment, sequences } : null;
  },
  score({ alignment: { submissionRows }, sequences }, { answers }) {
    const column = answers.column("Sequence")!;
    let distance = 0;
    let gestures = 0;
    for (let row = 0; row < column.length; row++) {
      const truth = words(cellText(column, row)).map((word) => Number(parsePythonInt(word)));
      distance += levenshteinOf(truth, sequences[submissionRows ? submissionRows[row] : row]);
      gestures += truth.length;
    }
    return distance / gestures;
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "Id"),
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
