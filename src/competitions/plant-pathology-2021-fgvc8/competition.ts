import { defineCompetition } from "../competition.ts";
import { labelSets } from "../shapes/cells/label-sets.ts";

export const competition = defineCompetition({
  id: "plant-pathology-2021-fgvc8",
  name: "Plant Pathology 2021 - FGVC8",
  category: "Image Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 16.1,
  opened: "2021-03-15",
  closed: "2021-05-27",
  metric: { name: "micro-f1-score", direction: "maximize" },
  columns: { id: ["image"], target: ["labels"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  errata: [
    {
      defect: "Predicted labels that no answer uses cost nothing.",
      v2: "They count as wrong.",
      corrects: "grader",
    },
  ],
  grade: labelSets({ id: "image", target: "labels" }),
  versions: { v2: { grade: labelSets({ id: "image", target: "labels", unknownLabels: "wrong" }) } },
});
