import { defineCompetition } from "../competition.ts";
import { grade, gradeV2 } from "./grade.ts";

export const competition = defineCompetition({
  id: "vinbigdata-chest-xray-abnormalities-detection",
  name: "VinBigData Chest X-ray Abnormalities Detection",
  category: "Object Detection",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 205.96,
  opened: "2020-12-30",
  closed: "2021-03-30",
  metric: { name: "mAP-at-IoU>0.4", direction: "maximize" },
  columns: { id: ["image_id"], target: ["PredictionString"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  errata: [
    {
      defect: "Box corners are read as width and height, and the box numbered 0 never counts as matched.",
      v2: "Corners are corners, and every box can be matched.",
      corrects: "grader",
    },
  ],
  grade,
  versions: { v2: { grade: gradeV2 } },
});
