import { mae } from "../../metrics/regression/mae.ts";
import { defineCompetition } from "../competition.ts";
import { regression } from "../shapes/graders/regression.ts";

export const competition = defineCompetition({
  id: "starter-births",
  name: "Births of a Year",
  category: "Forecasting",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0001,
  opened: null,
  closed: null,
  metric: { name: "mean-absolute-error", direction: "minimize" },
  columns: { id: ["date"], target: ["births"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-births.tar.gz",
  sampleScore: 1514.06027,
  grade: regression({ id: "date", target: "births", error: mae, rows: "independent" }),
});
