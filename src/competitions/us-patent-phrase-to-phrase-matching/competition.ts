import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "us-patent-phrase-to-phrase-matching",
  name: "U.S. Patent Phrase to Phrase Matching",
  category: "Text (Other)",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 0.00214,
  opened: "2022-03-21",
  closed: "2022-06-20",
  metric: { name: "pearson-correlation-coefficient", direction: "maximize" },
  columns: { id: ["id"], target: ["score"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
