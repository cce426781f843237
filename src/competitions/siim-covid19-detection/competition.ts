import {
  type LabelledBox,
  meanDetectionPrecision,
  parseLabelledBoxes,
} from "../../metrics/pictures/voc-detection.ts";
import { defineCompetition } from "../competition.ts";
import type { Problem } from "../problems.ts";
import { alignedBoxes, type BoxRow } from "../shapes/pictures/aligned-boxes.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const LABELLED_BOXES = { group: "label confidence xmin ymin xmax ymax", parse: parseLabelledBoxes };

export const competition = defineCompetition({
  id: "siim-covid19-detection",
  name: "SIIM-FISABIO-RSNA COVID-19 Detection",
  category: "Object Detection",
  complexity: "high",
  contest: "code",
  dataSizeGB: 128.51,
  opened: "2021-05-18",
  closed: "2021-08-09",
  metric: { name: "mean-average-precision", direction: "maximize" },
  columns: { id: ["id"], target: ["PredictionString"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: alignedBoxes({
    id: "id",
    target: "PredictionString",
    predicted: LABELLED_BOXES,
    truth: LABELLED_BOXES,
    refuseMissing: true,
    rounding: "numpy",
    combine: detectionPrecision,
  }),
});

/** Only labels that the answers use are graded, so only their confidences must be finite. */
function detectionPrecision(rows: BoxRow<LabelledBox, LabelledBox>[]): number | Problem {
  const graded = new Set(rows.flatMap(({ truth }) => truth.map((box) => box.label)));
  for (const { predicted, row } of rows) {
    const bad = predicted.find((box) => graded.has(box.label) && !Number.isFinite(box.confidence));
    if (bad) {
      return {
        code: "NOT_FINITE",
        column: "PredictionString",
        row,
        message: `Row ${row} of "PredictionString" has a box "${bad.label}" whose confidence is not finite.`,
      };
    }
  }
  return (
    meanDetectionPrecision(rows) ??
    undefinedScore("One label has no false box and no row without it, so its precision is not defined.")
  );
}
