import { pearson } from "../../metrics/regression/pearson.ts";
import { defineGrader } from "../grader.ts";
import { alignedScores } from "../shapes/aligned-scores.ts";
import { requireNumeric } from "../shapes/cells/numbers.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

/** Pearson's correlation. A constant prediction, a missing or an infinite one is valid and scores NaN. */
export const grade = defineGrader({
  submission: ["id", "score"],
  keys: ["id"],
  values: ["score"],
  rounding: "numpy",
  check(tables, problems) {
    if (tables.answers.rowCount < 2) problems.add(undefinedScore("A correlation needs at least two rows."));
    return alignedScores(
      tables,
      {
        id: "id",
        targets: ["score"],
        read: (column) => (requireNumeric(column, problems) ? column.numbers : null),
      },
      problems,
    );
  },
  score({ alignment, scores: [predicted] }, { answers }) {
    const rows = alignment.sorted();
    const truth = gather(answers.column("score")!.numbers, rows.answers);
    return pearson(truth, gather(predicted, rows.submission));
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "id"),
});
