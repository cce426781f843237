import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "tweet-sentiment-extraction",
  name: "Tweet Sentiment Extraction",
  category: "Text Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 0.003,
  opened: "2020-03-23",
  closed: "2020-06-16",
  metric: { name: "jaccard-similarity", direction: "maximize" },
  columns: { id: ["textID"], target: ["selected_text"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
