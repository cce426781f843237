import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "histopathologic-cancer-detection",
  name: "Histopathologic Cancer Detection",
  category: "Image (Other)",
  complexity: "low",
  contest: "code",
  dataSizeGB: 7.76,
  opened: "2018-11-16",
  closed: "2019-03-30",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["id"], target: ["label"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.5,
  grade: binaryAuc({ id: "id", target: "label" }),
});
