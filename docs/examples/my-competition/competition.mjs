import { binaryAuc, defineCompetition } from "mlebench/competition";

export const competition = defineCompetition({
  id: "my-competition",
  name: "My Competition",
  category: "Tabular",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "AUC-ROC", direction: "maximize" },
  columns: { id: ["id"], target: ["label"] },
  files: {
    answers: "prepared/private/test.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  grade: binaryAuc({ id: "id", target: "label" }),
});
