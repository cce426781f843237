import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "rsna-2022-cervical-spine-fracture-detection",
  name: "RSNA 2022 Cervical Spine Fracture Detection",
  category: "Image Classification",
  complexity: "high",
  contest: "code",
  dataSizeGB: 343.51,
  opened: "2022-07-28",
  closed: "2022-10-27",
  metric: { name: "weighted-multi-label-log-loss", direction: "minimize" },
  columns: { id: ["row_id"], target: ["fractured"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  grade,
});
