import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "mlsp-2013-birds",
  name: "MLSP 2013 Bird Classification Challenge",
  category: "Audio Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.5851,
  opened: "2013-06-17",
  closed: "2013-08-19",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["Id"], target: ["Probability"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  grade: binaryAuc({ id: "Id", target: "Probability" }),
});
