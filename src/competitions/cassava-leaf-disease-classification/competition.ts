import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "cassava-leaf-disease-classification",
  name: "Cassava Leaf Disease Classification",
  category: "Image Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 6.19,
  opened: "2020-11-19",
  closed: "2021-02-18",
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["image_id"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.11584,
  grade: labelAccuracy({ id: "image_id", target: "label" }),
});
