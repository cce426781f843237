import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "ventilator-pressure-prediction",
  name: "Google Brain - Ventilator Pressure Prediction",
  category: "Forecasting",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 0.7,
  opened: "2021-09-22",
  closed: "2021-11-03",
  metric: { name: "MAE", direction: "minimize" },
  columns: { id: ["id"], target: ["pressure"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
