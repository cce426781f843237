import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "smartphone-decimeter-2022",
  name: "Google Smartphone Decimeter Challenge 2022",
  category: "Tabular",
  complexity: "high",
  contest: "simple",
  dataSizeGB: 22.9,
  opened: "2022-05-02",
  closed: "2022-07-29",
  metric: { name: "average-haversine-distance", direction: "minimize" },
  columns: { id: ["tripId", "UnixTimeMillis"], target: ["LatitudeDegrees", "LongitudeDegrees"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "Public test keeps span_log.nmea files that are derived from the ground truth.",
      v2: "They are removed.",
      corrects: "data",
    },
  ],
  grade,
});
