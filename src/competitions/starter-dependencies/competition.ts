import { defineCompetition } from "../competition.ts";
import { rankedLists } from "../shapes/cells/ranked-lists.ts";

export const competition = defineCompetition({
  id: "starter-dependencies",
  name: "Missing Dependencies",
  category: "Tabular",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0003,
  opened: null,
  closed: null,
  metric: { name: "MAP@10", direction: "maximize" },
  columns: { id: ["package_id"], target: ["missing"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-dependencies.tar.gz",
  sampleScore: 0,
  grade: rankedLists({ id: "package_id", target: "missing", k: 10, otherColumns: "allowed" }),
});
