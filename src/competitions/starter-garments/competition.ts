import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "starter-garments",
  name: "Garments",
  category: "Image Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0017,
  opened: null,
  closed: null,
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["image_id"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-garments.tar.gz",
  sampleScore: 0.09107,
  grade: labelAccuracy({ id: "image_id", target: "label" }),
});
