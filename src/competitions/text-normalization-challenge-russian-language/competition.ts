import { defineCompetition } from "../competition.ts";
import { textAccuracy } from "../shapes/graders/text-accuracy.ts";

export const competition = defineCompetition({
  id: "text-normalization-challenge-russian-language",
  name: "Text Normalization Challenge - Russian Language",
  category: "Sequence to Sequence",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.01,
  opened: "2017-09-05",
  closed: "2017-11-20",
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["id"], target: ["after"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/private/sample_submission.csv",
  },
  errata: [
    {
      defect: "The sample submission is prepared into the private folder, so an agent never sees it.",
      v2: "It is in public as well.",
      corrects: "data",
    },
  ],
  grade: textAccuracy({ id: "id", target: "after" }),
});
