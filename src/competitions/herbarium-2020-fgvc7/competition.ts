import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "herbarium-2020-fgvc7",
  name: "Herbarium 2020 - FGVC7",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 63.16,
  opened: "2020-03-09",
  closed: "2020-05-27",
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["Id"], target: ["Predicted"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0,
  grade: classNumberMacroF1({ id: "Id", target: "Predicted" }),
});
