import { defineGrader, type Grader, type Rounding } from "../../grader.ts";
import { collectProblems, type Problem } from "../../problems.ts";
import { requireNoneMissing } from "../cells/numbers.ts";
import { pairsOf } from "../cells/pairs.ts";
import { requireColumns, requireRowCount, requireSameIds } from "../checks.ts";
import { undefinedScore } from "../undefined-score.ts";
import { type BoxFormat, readBoxes } from "./box-cells.ts";

/** The boxes of one image on both sides; `row` counts the submission's rows from 1. */
export interface BoxRow<Predicted, Truth> {
  predicted: Predicted[];
  truth: Truth[];
  row: number;
}

export interface AlignedBoxes<Predicted, Truth> {
  id: string;
  target: string;
  predicted: BoxFormat<Predicted>;
  truth: BoxFormat<Truth>;
  /** Whether a missing cell is refused; otherwise it means that nothing was found. */
  refuseMissing?: boolean;
  rounding: Rounding;
  /** Makes one number of all images, which come in ascending order of id. */
  combine(rows: BoxRow<Predicted, Truth>[]): number | Problem;
}

/** A text of boxes or points for each id, compared with the true boxes of the same image. */
export function alignedBoxes<Predicted, Truth>(options: AlignedBoxes<Predicted, Truth>): Grader {
  const { id, target, rounding } = options;
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding,
    check(tables, problems) {
      const columns = requireColumns(tables.submission, [id, target], problems);
      const sameCount = requireRowCount(tables, problems);
      if (!columns) return null;
      const [, cells] = columns;
      const alignment = sameCount ? requireSameIds(tables, id, problems) : null;
      if (options.refuseMissing) requireNoneMissing(cells, problems);
      const predicted = readBoxes(cells, options.predicted, problems);
      return alignment && predicted ? { alignment, predicted } : null;
    },
    score({ alignment, predicted }, { answers }) {
      const truth = readBoxes(answers.column(target)!, options.truth, collectProblems());
      if (!truth) return undefinedScore("The answers hold boxes that cannot be read.");
      const order = alignment.sorted();
      const rows = Array.from(order.answers, (answersRow, position) => {
        const row = order.submission[position];
        return { predicted: predicted[row], truth: truth[answersRow], row: row + 1 };
      });
      return options.combine(rows);
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
