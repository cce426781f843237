import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "iwildcam-2019-fgvc6",
  name: "iWildCam 2019 - FGVC6",
  category: "Image Classification",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 46.68,
  opened: "2019-03-25",
  closed: "2019-06-07",
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["Id"], target: ["Category"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.02315,
  grade: classNumberMacroF1({ id: "Id", target: "Category" }),
});
