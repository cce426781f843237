import { rmse } from "../../metrics/regression/rmse.ts";
import { defineCompetition } from "../competition.ts";
import { regression } from "../shapes/graders/regression.ts";

export const competition = defineCompetition({
  id: "petfinder-pawpularity-score",
  name: "PetFinder.my - Pawpularity Contest",
  category: "Image (Other)",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 1.04,
  opened: "2021-09-23",
  closed: "2022-01-14",
  metric: { name: "root-mean-squared-error", direction: "minimize" },
  columns: { id: ["Id"], target: ["Pawpularity"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: regression({ id: "Id", target: "Pawpularity", error: rmse, range: [1, 100], rows: "independent" }),
});
