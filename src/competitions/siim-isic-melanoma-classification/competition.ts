import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "siim-isic-melanoma-classification",
  name: "SIIM-ISIC Melanoma Classification",
  category: "Image Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 116.16,
  opened: "2020-05-27",
  closed: "2020-08-18",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["image_name"], target: ["target"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: binaryAuc({ id: "image_name", target: "target" }),
});
