import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "herbarium-2021-fgvc8",
  name: "Herbarium 2021 - FGVC8",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 161.9,
  opened: "2021-03-10",
  closed: "2021-05-26",
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["Id"], target: ["Predicted"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0,
  grade: classNumberMacroF1({ id: "Id", target: "Predicted" }),
});
