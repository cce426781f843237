import type { Column } from "../../table/columns/column.ts";
import type { Alignment } from "../../table/rows/align-ids.ts";
import { defineGrader, type Grader, type Rounding } from "../grader.ts";
import type { Problem, Problems } from "../problems.ts";
import { pairsOf } from "./cells/pairs.ts";
import { requireIdAndTarget } from "./id-and-target.ts";

export interface OneTarget<Cells> {
  id: string;
  target: string;
  rounding: Rounding;
  /** Makes of the predicted column what is scored; null when it has reported a problem. */
  read(predicted: Column, problems: Problems): Cells | null;
  score(cells: Cells, truth: Column, alignment: Alignment): number | Problem;
}

/** The most common grader: an id, one predicted column against one true column, rows that are independent. */
export function oneTarget<Cells>({ id, target, rounding, read, score }: OneTarget<Cells>): Grader {
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding,
    check(tables, problems) {
      const { alignment, predicted } = requireIdAndTarget(tables, id, target, problems);
      const cells = predicted && read(predicted, problems);
      return alignment && cells !== null ? { alignment, cells } : null;
    },
    score: ({ alignment, cells }, { answers }) => score(cells, answers.column(target)!, alignment),
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
