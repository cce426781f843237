import { defineGrader, type Grader } from "../../grader.ts";
import { alignedColumns } from "../aligned-columns.ts";
import { requireColumns, requireExactColumns } from "../checks.ts";
import { meanAveragePrecision } from "../graders/mean-average-precision.ts";
import { pairsOf } from "./pairs.ts";

export interface RankedLists {
  id: string;
  target: string;
  /** How many entries of a list count; further ones are legal. */
  k: number;
  otherColumns: "allowed" | "refused";
}

/** One ranked list of labels a row, best first, separated by blanks: mean average precision at k. */
export function rankedLists({ id, target, k, otherColumns }: RankedLists): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "numpy",
    check(tables, problems) {
      const require = otherColumns === "allowed" ? requireColumns : requireExactColumns;
      const read = alignedColumns(tables, id, [target], problems, require);
      return read?.alignment ? { alignment: read.alignment, predicted: read.columns[0] } : null;
    },
    score: ({ alignment, predicted }, { answers }) =>
      meanAveragePrecision(predicted, answers.column(target)!, alignment.sorted(), k),
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
