import { defineCompetition } from "../competition.ts";

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
  grade: undefined as never,
});
