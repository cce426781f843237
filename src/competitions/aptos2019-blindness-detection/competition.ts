import { defineCompetition } from "../competition.ts";
import { gradeKappa } from "../shapes/graders/quadratic-kappa.ts";

export const competition = defineCompetition({
  id: "aptos2019-blindness-detection",
  name: "APTOS 2019 Blindness Detection",
  category: "Image Classification",
  complexity: "low",
  contest: "code",
  dataSizeGB: 10.22,
  opened: "2019-06-28",
  closed: "2019-09-07",
  metric: { name: "quadratic-weighted-kappa", direction: "maximize" },
  columns: { id: ["id_code"], target: ["diagnosis"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0,
  grade: gradeKappa({ id: "id_code", target: "diagnosis" }),
});
