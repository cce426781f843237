import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "rsna-breast-cancer-detection",
  name: "RSNA Screening Mammography Breast Cancer Detection",
  category: "Image Classification",
  complexity: "high",
  contest: "code",
  dataSizeGB: 314.72,
  opened: "2022-11-28",
  closed: "2023-02-27",
  metric: { name: "probabilistic-f1-score", direction: "maximize" },
  columns: { id: ["prediction_id"], target: ["cancer"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  grade,
});
