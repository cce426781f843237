import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "aerial-cactus-identification",
  name: "Aerial Cactus Identification",
  category: "Image Classification",
  complexity: "low",
  contest: "code",
  dataSizeGB: 0.0254,
  opened: "2019-03-08",
  closed: "2019-07-08",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["id"], target: ["has_cactus"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.5,
  errata: [{ defect: "Any medal needs a perfect AUC of 1.0.", v2: "Marked only.", corrects: "nothing" }],
  grade: binaryAuc({ id: "id", target: "has_cactus" }),
});
