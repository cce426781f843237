import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "osic-pulmonary-fibrosis-progression",
  name: "OSIC Pulmonary Fibrosis Progression",
  category: "Forecasting",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 23.99,
  opened: "2020-07-07",
  closed: "2020-10-06",
  metric: { name: "modified-laplace-log-likelihood", direction: "maximize" },
  columns: { id: ["Patient_Week"], target: ["FVC", "Confidence"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
