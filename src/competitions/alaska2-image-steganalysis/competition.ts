import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "alaska2-image-steganalysis",
  name: "ALASKA2 Image Steganalysis",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 32.27,
  opened: "2020-04-27",
  closed: "2020-07-21",
  metric: { name: "weighted-auroc", direction: "maximize" },
  columns: { id: ["Id"], target: ["Label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.58571,
  grade,
});
