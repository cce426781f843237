import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "champs-scalar-coupling",
  name: "Predicting Molecular Properties",
  category: "Tabular",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 1.22,
  opened: "2019-05-29",
  closed: "2019-08-28",
  metric: { name: "log-mean-absolute-error", direction: "minimize" },
  columns: { id: ["id"], target: ["scalar_coupling_constant"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 1.99777,
  errata: [
    {
      defect: "Molecules of the test set are missing from the structures file.",
      v2: "The structures file includes them.",
      corrects: "data",
    },
  ],
  grade,
});
