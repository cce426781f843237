import { defineCompetition } from "../competition.ts";
import { grade, gradeV2 } from "./grade.ts";

export const competition = defineCompetition({
  id: "new-york-city-taxi-fare-prediction",
  name: "New York City Taxi Fare Prediction",
  category: "Tabular",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 5.7,
  opened: "2018-07-25",
  closed: "2018-09-25",
  metric: { name: "root-mean-squared-error", direction: "minimize" },
  columns: { id: ["key"], target: ["fare_amount"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [{ defect: "Keys are sorted but never compared.", v2: "Keys must match.", corrects: "grader" }],
  grade,
  versions: { v2: { grade: gradeV2 } },
});
