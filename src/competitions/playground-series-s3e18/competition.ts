import { defineCompetition } from "../competition.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { meanColumnAuc } from "../shapes/graders/mean-column-auc.ts";

export const competition = defineCompetition({
  id: "playground-series-s3e18",
  name: "Explore Multi-Label Classification with an Enzyme Substrate Dataset",
  category: "Development",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "auroc-multi-label", direction: "maximize" },
  columns: { id: ["id"], target: ["EC1", "EC2"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: meanColumnAuc({ id: "id", targets: ["EC1", "EC2"], read: finiteNumbers }),
});
