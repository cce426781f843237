import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "chaii-hindi-and-tamil-question-answering",
  name: "Hindi and Tamil Question Answering",
  category: "Training LLMs",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 0.032,
  opened: "2021-08-11",
  closed: "2021-11-15",
  metric: { name: "word-level-jaccard-score", direction: "maximize" },
  columns: { id: ["id"], target: ["PredictionString"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0,
  grade,
});
