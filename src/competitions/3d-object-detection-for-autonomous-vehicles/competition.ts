import { type Box3d, meanPrecision3d, parseBoxes3d } from "../../metrics/pictures/box-3d.ts";
import { defineCompetition } from "../competition.ts";
import type { Problem } from "../problems.ts";
import { alignedBoxes, type BoxRow } from "../shapes/pictures/aligned-boxes.ts";

const BOXES = { group: "confidence x y z width length height yaw class", parse: parseBoxes3d };

export const competition = defineCompetition({
  id: "3d-object-detection-for-autonomous-vehicles",
  name: "Lyft 3D Object Detection for Autonomous Vehicles",
  category: "Image Segmentation",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 125.79,
  opened: "2019-09-12",
  closed: "2019-11-12",
  metric: { name: "mean-average-precision", direction: "maximize" },
  columns: { id: ["Id"], target: ["PredictionString"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0,
  grade: alignedBoxes({
    id: "Id",
    target: "PredictionString",
    predicted: BOXES,
    truth: BOXES,
    rounding: "numpy",
    combine: scenePrecision,
  }),
});

/** A box of a class that its scene lacks is never looked at, so only the answers tell whether its shape matters. */
function scenePrecision(rows: BoxRow<Box3d, Box3d>[]): number | Problem {
  const score = meanPrecision3d(rows);
  if (score !== null) return score;
  const row = rows.find((scene) => meanPrecision3d([scene]) === null)!.row;
  return {
    code: "OUT_OF_RANGE",
    column: "PredictionString",
    row,
    message: `Row ${row} of "PredictionString" has a box that is not a box: width, length and height must be positive, and no number may be NaN or absurdly large.`,
  };
}
