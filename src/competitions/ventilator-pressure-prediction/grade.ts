import { mae } from "../../metrics/regression/mae.ts";
import { defineGrader } from "../grader.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { gather } from "../shapes/gather.ts";
import { requireIdAndTarget } from "../shapes/id-and-target.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

/**
 * Mean absolute error over the rows in which the exhalation valve is shut (`u_out` is 0, known to everybody from the
 * test data). Whatever stands in the other rows is neither checked nor scored.
 */
export const grade = defineGrader({
  submission: ["id", "pressure"],
  keys: ["id", "u_out"],
  values: ["pressure"],
  rounding: "numpy",
  check(tables, problems) {
    const { alignment, predicted: column } = requireIdAndTarget(tables, "id", "pressure", problems);
    if (!alignment || !column) return null;
    const valve = tables.answers.column("u_out")!.numbers;
    const sorted = alignment.sorted();
    const submission = sorted.submission.filter((_, i) => valve[sorted.answers[i]] === 0);
    const answers = sorted.answers.filter((row) => valve[row] === 0);
    const predicted = finiteNumbers(column, problems, submission);
    return predicted ? { predicted, rows: { submission, answers } } : null;
  },
  score({ predicted, rows }, { answers }) {
    if (rows.answers.length === 0) return undefinedScore("No row of the answers is scored.");
    return mae(gather(answers.column("pressure")!.numbers, rows.answers), gather(predicted, rows.submission));
  },
});
