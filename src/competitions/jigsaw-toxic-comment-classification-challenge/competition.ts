import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "jigsaw-toxic-comment-classification-challenge",
  name: "Toxic Comment Classification Challenge",
  category: "Text Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.06,
  opened: "2017-12-19",
  closed: "2018-03-20",
  metric: { name: "column-wise ROC AUC", direction: "maximize" },
  columns: { id: ["id"], target: ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.5,
  errata: [
    {
      defect: "Crowded board: top and median are nearly equal, so medals are noise.",
      v2: "Marked only.",
      corrects: "nothing",
    },
  ],
  grade,
});
