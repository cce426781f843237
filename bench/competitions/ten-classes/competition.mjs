import { defineCompetition, isRoughlyOne, multiclassLogLoss } from "mlebench/competition";

const classes = Array.from({ length: 10 }, (_, i) => `class_${i}`);

export const competition = defineCompetition({
  id: "ten-classes",
  name: "Ten classes, for the benchmarks",
  category: "Tabular",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "log loss", direction: "minimize" },
  columns: { id: ["id"], target: classes },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: multiclassLogLoss({ id: "id", classes, isOne: isRoughlyOne, sumOrder: "classes" }),
});
