import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "icecube-neutrinos-in-deep-ice",
  name: "IceCube - Neutrinos in Deep Ice",
  category: "Tabular",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 117.18,
  opened: "2023-01-19",
  closed: "2023-04-19",
  metric: { name: "mean-angular-error", direction: "minimize" },
  columns: { id: ["event_id"], target: ["azimuth", "zenith"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 1.55139,
  errata: [
    {
      defect: "The recorded checksums of Parquet files depend on the library that wrote them.",
      v2: "Logical content is compared instead.",
      corrects: "nothing",
    },
  ],
  grade,
});
