import { probabilisticF1 } from "../../metrics/classification/probabilistic-f1.ts";
import { defineGrader } from "../grader.ts";
import { alignedScores } from "../shapes/aligned-scores.ts";
import { numbersWithGaps } from "../shapes/cells/numbers-with-gaps.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

/** Probabilistic F1. Values beyond 0 and 1 are clamped, and a missing one makes the whole score 0: both are valid. */
export const grade = defineGrader({
  submission: ["prediction_id", "cancer"],
  keys: ["prediction_id"],
  values: ["cancer"],
  rounding: "numpy",
  check(tables, problems) {
    const columns = { id: "prediction_id", targets: ["cancer"], read: numbersWithGaps };
    const checked = alignedScores(tables, columns, problems);
    if (checked?.scores[0].every((value) => value < 0)) {
      problems.add({
        code: "OUT_OF_RANGE",
        column: "cancer",
        message: 'Every value of "cancer" is negative, which leaves nothing to divide by.',
      });
    }
    return checked;
  },
  score({ alignment, scores: [predicted] }, { answers }) {
    const rows = alignment.sorted();
    const truth = gather(answers.column("cancer")!.numbers, rows.answers);
    const f1 = probabilisticF1(truth, gather(predicted, rows.submission));
    return f1 ?? undefinedScore("The answers hold no positive row.");
  },
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "prediction_id"),
});
