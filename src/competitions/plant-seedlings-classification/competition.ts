import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "plant-seedlings-classification",
  name: "Plant Seedlings Classification",
  category: "Development",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "micro-f1-score", direction: "maximize" },
  columns: { id: ["file"], target: ["species"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  errata: [
    {
      defect: "The score called micro F1 is accuracy.",
      v2: "Marked only: with one label a row the two are the same.",
      corrects: "nothing",
    },
  ],
  grade,
});
