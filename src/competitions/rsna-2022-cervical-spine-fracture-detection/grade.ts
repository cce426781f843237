import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { studyLogLoss } from "../../metrics/classification/weighted-multilabel-log-loss.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { defineGrader } from "../grader.ts";
import { alignedScores } from "../shapes/aligned-scores.ts";
import { probabilities } from "../shapes/cells/probabilities.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const FINDINGS = ["patient_overall", "C1", "C2", "C3", "C4", "C5", "C6", "C7"];

/** Eight probabilities for each study, one a row: the mean over studies of their weighted log loss. */
export const grade = defineGrader({
  submission: ["row_id", "fractured"],
  keys: ["row_id"],
  values: ["fractured"],
  rounding: "numpy",
  check: (tables, problems) =>
    alignedScores(tables, { id: "row_id", targets: ["fractured"], read: probabilities }, problems),
  score({ alignment, scores: [predicted] }, { answers }) {
    const studies = rowsByStudy(answers.column("row_id")!);
    if (studies === null) return undefinedScore("The answers lack a finding of some study.");
    const truth = answers.column("fractured")!.numbers;
    const probability = gather(predicted, alignment.submissionRows);
    return numpyMean(
      Float64Array.from(studies, (rows) => studyLogLoss(gather(truth, rows), gather(probability, rows))),
    );
  },
});

/** For each study, in text order, its rows in the order of the findings; null when one is absent. */
function rowsByStudy(ids: Column): Uint32Array[] | null {
  const found = new Map<string, Map<string, number>>();
  for (let row = 0; row < ids.length; row++) {
    const id = cellText(ids, row);
    const cut = id.indexOf("_");
    const study = id.slice(0, cut);
    const rows = found.get(study) ?? new Map<string, number>();
    found.set(study, rows.set(id.slice(cut + 1), row));
  }
  const inOrder = [...found].sort(([a], [b]) => compareCodePoints(a, b)).map(([, rows]) => rows);
  if (inOrder.some((rows) => FINDINGS.some((finding) => !rows.has(finding)))) return null;
  return inOrder.map((rows) => Uint32Array.from(FINDINGS, (finding) => rows.get(finding)!));
}
