import { defineCompetition } from "../competition.ts";
import { gradeKappa } from "../shapes/graders/quadratic-kappa.ts";

export const competition = defineCompetition({
  id: "starter-batch-jobs",
  name: "Batch Jobs",
  category: "Tabular",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0001,
  opened: null,
  closed: null,
  metric: { name: "quadratic-weighted-kappa", direction: "maximize" },
  columns: { id: ["job_id"], target: ["duration"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-batch-jobs.tar.gz",
  sampleScore: 0,
  grade: gradeKappa({ id: "job_id", target: "duration" }),
});
