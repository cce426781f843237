import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "tabular-playground-series-dec-2021",
  name: "Tabular Playground Series - Dec 2021",
  category: "Tabular",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.7,
  opened: "2021-12-01",
  closed: "2021-12-31",
  metric: { name: "multi-class-classification-accuracy", direction: "maximize" },
  columns: { id: ["Id"], target: ["Cover_Type"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "Crowded board: top and median are nearly equal, so medals are noise.",
      v2: "Marked only.",
      corrects: "nothing",
    },
  ],
  grade: labelAccuracy({ id: "Id", target: "Cover_Type" }),
});
