import { rmsle } from "../../metrics/regression/rmsle.ts";
import { defineCompetition } from "../competition.ts";
import { regression } from "../shapes/graders/regression.ts";

export const competition = defineCompetition({
  id: "starter-house-prices",
  name: "House Prices in Ames",
  category: "Tabular",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0002,
  opened: null,
  closed: null,
  metric: { name: "root-mean-squared-logarithmic-error", direction: "minimize" },
  columns: { id: ["house_id"], target: ["sale_price"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-house-prices.tar.gz",
  sampleScore: 0.38214,
  grade: regression({
    id: "house_id",
    target: "sale_price",
    error: rmsle,
    range: [0, Number.MAX_VALUE],
    rows: "independent",
  }),
});
