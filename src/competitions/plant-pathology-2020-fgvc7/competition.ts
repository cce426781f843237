import { defineCompetition } from "../competition.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { requireExactColumns } from "../shapes/checks.ts";
import { meanColumnAuc } from "../shapes/graders/mean-column-auc.ts";

export const competition = defineCompetition({
  id: "plant-pathology-2020-fgvc7",
  name: "Plant Pathology 2020 - FGVC7",
  category: "Image Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.8,
  opened: "2020-03-09",
  closed: "2020-05-26",
  metric: { name: "mean-column-wise-roc-auc", direction: "maximize" },
  columns: { id: ["image_id"], target: ["healthy", "multiple_diseases", "rust", "scab"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: meanColumnAuc({
    id: "image_id",
    targets: ["healthy", "multiple_diseases", "rust", "scab"],
    header: requireExactColumns,
    read: finiteNumbers,
  }),
});
