import { rmse } from "../../metrics/regression/rmse.ts";
import { defineCompetition } from "../competition.ts";
import { regression } from "../shapes/graders/regression.ts";

export const competition = defineCompetition({
  id: "starter-stained-drawings",
  name: "Stained Drawings",
  category: "Image to Image",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0004,
  opened: null,
  closed: null,
  metric: { name: "root-mean-squared-error", direction: "minimize" },
  columns: { id: ["id"], target: ["value"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-stained-drawings.tar.gz",
  sampleScore: 64.58743,
  grade: regression({ id: "id", target: "value", error: rmse, rows: "grouped" }),
});
