import { defineCompetition } from "../competition.ts";
import { grade, gradeV2 } from "./grade.ts";

export const competition = defineCompetition({
  id: "jigsaw-unintended-bias-in-toxicity-classification",
  name: "Jigsaw Unintended Bias in Toxicity Classification",
  category: "Text Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 2.4,
  opened: "2019-03-29",
  closed: "2019-07-18",
  metric: { name: "jigsaw-unintended-bias-in-toxicity-classification-score", direction: "maximize" },
  columns: { id: ["id"], target: ["prediction"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.5,
  errata: [
    {
      defect: "Predictions are rounded to 0 or 1 before every AUC.",
      v2: "Predictions are ranked as they are.",
      corrects: "grader",
    },
  ],
  grade,
  versions: { v2: { grade: gradeV2 } },
});
