import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";
import { TARGETS } from "./targets.ts";

export const competition = defineCompetition({
  id: "google-quest-challenge",
  name: "Google QUEST Q&A Labeling",
  category: "Training LLMs",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 0.015,
  opened: "2019-11-22",
  closed: "2020-02-10",
  metric: { name: "column-wise-spearman", direction: "maximize" },
  columns: { id: ["qa_id"], target: TARGETS },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: -0.01016,
  grade,
});
