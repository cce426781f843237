import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "tabular-playground-series-may-2022",
  name: "Tabular Playground Series - May 2022",
  category: "Tabular",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.57,
  opened: "2022-05-01",
  closed: "2022-05-31",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["id"], target: ["target"] },
  files: {
    answers: "prepared/private/test.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  errata: [
    {
      defect: "Crowded board: top and median are nearly equal, so medals are noise.",
      v2: "Marked only.",
      corrects: "nothing",
    },
  ],
  grade: binaryAuc({ id: "id", target: "target" }),
});
