import { defineCompetition } from "../competition.ts";
import { meanLevenshtein } from "../shapes/graders/mean-levenshtein.ts";

export const competition = defineCompetition({
  id: "bms-molecular-translation",
  name: "Bristol-Myers Squibb - Molecular Translation",
  category: "Image to Text",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 8.87,
  opened: "2021-03-02",
  closed: "2021-06-03",
  metric: { name: "levenshtein-distance", direction: "minimize" },
  columns: { id: ["image_id"], target: ["InChI"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 109.59778,
  grade: meanLevenshtein({ id: "image_id", target: "InChI", cells: "any" }),
});
