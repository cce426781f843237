import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "inaturalist-2019-fgvc6",
  name: "iNaturalist 2019 at FGVC6",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 87.76,
  opened: "2019-03-29",
  closed: "2019-06-10",
  metric: { name: "top-1-classification-error", direction: "minimize" },
  columns: { id: ["id"], target: ["predicted"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/kaggle_sample_submission.csv",
  },
  sampleScore: 0.9996,
  grade,
});
