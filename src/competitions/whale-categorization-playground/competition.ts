import { defineCompetition } from "../competition.ts";
import { rankedLists } from "../shapes/cells/ranked-lists.ts";

export const competition = defineCompetition({
  id: "whale-categorization-playground",
  name: "Humpback Whale Identification Challenge",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 0.72674,
  opened: "2018-01-10",
  closed: "2018-07-09",
  metric: { name: "MAP@5", direction: "maximize" },
  columns: { id: ["Image"], target: ["Id"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: rankedLists({ id: "Image", target: "Id", k: 5, otherColumns: "refused" }),
});
