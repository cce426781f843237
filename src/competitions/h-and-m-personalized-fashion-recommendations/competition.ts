import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "h-and-m-personalized-fashion-recommendations",
  name: "H&M Personalized Fashion Recommendations",
  category: "Tabular",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 34.56,
  opened: "2022-02-07",
  closed: "2022-05-09",
  metric: { name: "MAP@12", direction: "maximize" },
  columns: { id: ["customer_id"], target: ["prediction"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0,
  grade,
});
