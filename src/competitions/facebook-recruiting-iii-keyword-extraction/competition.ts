import { defineCompetition } from "../competition.ts";
import { labelSets } from "../shapes/cells/label-sets.ts";

export const competition = defineCompetition({
  id: "facebook-recruiting-iii-keyword-extraction",
  name: "Facebook Recruiting III - Keyword Extraction",
  category: "Text Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 3.2,
  opened: "2013-08-30",
  closed: "2013-12-20",
  metric: { name: "micro-f1-score", direction: "maximize" },
  columns: { id: ["Id"], target: ["Tags"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.07645,
  errata: [
    {
      defect: "Predicted tags that no answer uses cost nothing.",
      v2: "They count as wrong.",
      corrects: "grader",
    },
  ],
  grade: labelSets({ id: "Id", target: "Tags" }),
  versions: { v2: { grade: labelSets({ id: "Id", target: "Tags", unknownLabels: "wrong" }) } },
});
