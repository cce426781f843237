import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "rsna-miccai-brain-tumor-radiogenomic-classification",
  name: "RSNA-MICCAI Brain Tumor Radiogenomic Classification",
  category: "Image (Other)",
  complexity: "high",
  contest: "code",
  dataSizeGB: 135.85,
  opened: "2021-07-13",
  closed: "2021-10-15",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["BraTS21ID"], target: ["MGMT_value"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: binaryAuc({ id: "BraTS21ID", target: "MGMT_value" }),
});
