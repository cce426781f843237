import { binaryLogLoss as logLoss } from "../../../metrics/classification/binary-log-loss.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { alignedScores } from "../aligned-scores.ts";
import { pairsOf } from "../cells/pairs.ts";
import { probabilities } from "../cells/probabilities.ts";
import { gather } from "../gather.ts";
import { requireOptions } from "../shape-options.ts";
import { undefinedScore } from "../undefined-score.ts";

/** The probability of class 1 in each row, against 0/1 truth: log loss. */
export function binaryLogLoss(options: { id: string; target: string }): Grader {
  const { id, target } = requireOptions("binaryLogLoss", options, { id: "text", target: "text" });
  return defineGrader({
    submission: [id, target],
    keys: [id],
    values: [target],
    rounding: "python",
    check: (tables, problems) =>
      alignedScores(tables, { id, targets: [target], read: probabilities }, problems),
    score({ alignment, scores: [predicted] }, { answers }) {
      const rows = alignment.sorted();
      const truth = gather(answers.column(target)!.numbers, rows.answers);
      const loss = logLoss(truth, gather(predicted, rows.submission));
      return loss ?? undefinedScore("The answers hold one class only.");
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}
