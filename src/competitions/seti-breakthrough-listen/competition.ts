import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "seti-breakthrough-listen",
  name: "SETI Breakthrough Listen - E.T. Signal Search",
  category: "Signal Processing",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 156.02,
  opened: "2021-05-10",
  closed: "2021-08-19",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["id"], target: ["target"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: binaryAuc({ id: "id", target: "target" }),
});
