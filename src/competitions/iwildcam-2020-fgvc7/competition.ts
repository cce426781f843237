import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "iwildcam-2020-fgvc7",
  name: "iWildCam 2020 - FGVC7",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 118.59,
  opened: "2020-03-09",
  closed: "2020-05-26",
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["Id"], target: ["Category"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.00117,
  grade: labelAccuracy({ id: "Id", target: "Category" }),
});
