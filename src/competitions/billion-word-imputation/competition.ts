import { defineCompetition } from "../competition.ts";
import { meanLevenshtein } from "../shapes/graders/mean-levenshtein.ts";

export const competition = defineCompetition({
  id: "billion-word-imputation",
  name: "Billion Word Imputation",
  category: "Training LLMs",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 1.7,
  opened: "2014-05-08",
  closed: "2015-05-01",
  metric: { name: "levenshtein-distance", direction: "minimize" },
  columns: { id: ["id"], target: ["sentence"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/private/sample_submission.csv" },
  sampleScore: 5.56118,
  errata: [
    {
      defect: "The sample submission is prepared into the private folder, so an agent never sees it.",
      v2: "It is in public as well.",
      corrects: "data",
    },
  ],
  grade: meanLevenshtein({ id: "id", target: "sentence", cells: "texts" }),
});
