import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "detecting-insults-in-social-commentary",
  name: "Detecting Insults in Social Commentary",
  category: "Text Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.002,
  opened: "2012-09-18",
  closed: "2012-09-21",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["Comment"], target: ["Insult"] },
  files: {
    answers: "prepared/private/test.csv",
    sampleSubmission: "prepared/public/sample_submission_null.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  sampleScore: 0.5,
  grade: binaryAuc({ id: "Comment", target: "Insult" }),
});
