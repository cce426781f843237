import { defineCompetition } from "../competition.ts";
import { labelSets } from "../shapes/cells/label-sets.ts";

export const competition = defineCompetition({
  id: "imet-2020-fgvc7",
  name: "iMet Collection 2020 - FGVC7",
  category: "Image Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 29.46,
  opened: "2020-03-27",
  closed: "2020-05-28",
  metric: { name: "micro-f1-score", direction: "maximize" },
  columns: { id: ["id"], target: ["attribute_ids"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.00006,
  grade: labelSets({ id: "id", target: "attribute_ids" }),
});
