import { defineGrader, type Grader } from "../../grader.ts";
import { finiteNumbers, requireNumeric, requireRange } from "../cells/numbers.ts";
import { pairsOf } from "../cells/pairs.ts";
import { gather } from "../gather.ts";
import { requireIdAndTarget } from "../id-and-target.ts";
import { requireOptions } from "../shape-options.ts";

export interface Regression {
  id: string;
  target: string;
  error: (truth: Float64Array, predicted: Float64Array) => number;
  /** Bounds, included. With them the column must be numeric as a whole; without, each cell is converted. */
  range?: readonly [number, number];
  /** Rows that belong together (pixels of one image) cannot be resampled one by one. */
  rows: "independent" | "grouped";
}

/** One finite number a row, aligned by id; errors are added up in the order of the sorted ids. */
export function regression(options: Regression): Grader {
  const { id, target, error, range, rows } = requireOptions("regression", options, {
    id: "text",
    target: "text",
    error: "function",
  });
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const { alignment, predicted: column } = requireIdAndTarget(tables, id, target, problems);
      if (!column) return null;
      const usable = !range || (requireNumeric(column, problems) && requireRange(column, ...range, problems));
      const predicted = usable ? finiteNumbers(column, problems) : null;
      return alignment && predicted ? { alignment, predicted } : null;
    },
    score({ alignment, predicted }, { answers }) {
      const order = alignment.sorted();
      return error(
        gather(answers.column(target)!.numbers, order.answers),
        gather(predicted, order.submission),
      );
    },
    ...(rows === "independent" ? { pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id) } : {}),
  });
}
