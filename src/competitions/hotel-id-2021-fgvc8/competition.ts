import { defineCompetition } from "../competition.ts";
import { rankedLists } from "../shapes/cells/ranked-lists.ts";

export const competition = defineCompetition({
  id: "hotel-id-2021-fgvc8",
  name: "Hotel-ID to Combat Human Trafficking 2021 - FGVC8",
  category: "Image Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 26.65,
  opened: "2021-03-10",
  closed: "2021-05-26",
  metric: { name: "map-at-5", direction: "maximize" },
  columns: { id: ["image"], target: ["hotel_id"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.00232,
  grade: rankedLists({ id: "image", target: "hotel_id", k: 5, otherColumns: "allowed" }),
});
