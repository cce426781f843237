import { defineCompetition } from "../competition.ts";

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
  grade: undefined as never,
});
