import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "predict-volcanic-eruptions-ingv-oe",
  name: "INGV - Volcanic Eruption Prediction",
  category: "Signal Processing",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 31.25,
  opened: "2020-10-12",
  closed: "2021-01-06",
  metric: { name: "mean-absolute-error", direction: "minimize" },
  columns: { id: ["segment_id"], target: ["time_to_eruption"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
