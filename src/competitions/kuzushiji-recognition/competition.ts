import { parsePoints, parseRectangles, pointInBoxF1 } from "../../metrics/pictures/point-in-box.ts";
import { defineCompetition } from "../competition.ts";
import { alignedBoxes } from "../shapes/pictures/aligned-boxes.ts";

export const competition = defineCompetition({
  id: "kuzushiji-recognition",
  name: "Kuzushiji Recognition",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 4.51,
  opened: "2019-07-18",
  closed: "2019-10-14",
  metric: { name: "f1-score", direction: "maximize" },
  columns: { id: ["image_id"], target: ["labels"] },
  files: {
    answers: "prepared/private/test.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  sampleScore: 0,
  grade: alignedBoxes({
    id: "image_id",
    target: "labels",
    predicted: { group: "label x y", parse: parsePoints },
    truth: { group: "label x y width height", parse: parseRectangles },
    rounding: "python",
    combine: pointInBoxF1,
  }),
});
