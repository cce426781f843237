import { rmse } from "../../metrics/regression/rmse.ts";
import { defineCompetition } from "../competition.ts";
import { regression } from "../shapes/graders/regression.ts";

export const competition = defineCompetition({
  id: "denoising-dirty-documents",
  name: "Denoising Dirty Documents",
  category: "Image to Image",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.06,
  opened: "2015-06-01",
  closed: "2015-10-05",
  metric: { name: "root_mean_squared_error", direction: "minimize" },
  columns: { id: ["id"], target: ["value"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sampleSubmission.csv",
  },
  sampleScore: 0.28616,
  grade: regression({ id: "id", target: "value", error: rmse, rows: "grouped" }),
});
