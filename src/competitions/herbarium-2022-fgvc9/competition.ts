import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "herbarium-2022-fgvc9",
  name: "Herbarium 2022 - FGVC9",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 163.17,
  opened: "2022-02-14",
  closed: "2022-05-30",
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["Id"], target: ["Predicted"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0,
  grade: classNumberMacroF1({ id: "Id", target: "Predicted" }),
});
