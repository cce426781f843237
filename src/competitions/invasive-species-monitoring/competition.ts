import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "invasive-species-monitoring",
  name: "Invasive Species Monitoring",
  category: "Development",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["name"], target: ["invasive"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/private/sample_submission.csv",
  },
  sampleScore: 0.5,
  errata: [
    {
      defect: "The prepared train and test archives can lack the images.",
      v2: "The archives contain the images.",
      corrects: "data",
    },
    {
      defect: "The sample submission is prepared into the private folder, so an agent never sees it.",
      v2: "It is in public as well.",
      corrects: "data",
    },
  ],
  grade: binaryAuc({ id: "name", target: "invasive" }),
});
