import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "starter-door-numbers",
  name: "Door Numbers",
  category: "Image Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0009,
  opened: null,
  closed: null,
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["image_id"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-door-numbers.tar.gz",
  sampleScore: 0.01,
  grade: labelAccuracy({ id: "image_id", target: "label" }),
});
