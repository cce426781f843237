import { defineCompetition } from "../competition.ts";
import { requireExactColumns } from "../shapes/checks.ts";
import { multiclassLogLoss } from "../shapes/graders/multiclass-log-loss.ts";
import { isRoughlyOne } from "../shapes/row-sums.ts";
import { TARGETS } from "./targets.ts";

export const competition = defineCompetition({
  id: "leaf-classification",
  name: "Leaf Classification",
  category: "Image Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.036,
  opened: "2016-07-30",
  closed: "2017-02-28",
  metric: { name: "multi-class-log-loss", direction: "minimize" },
  columns: { id: ["id"], target: TARGETS },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 4.59512,
  grade: multiclassLogLoss({
    id: "id",
    classes: TARGETS,
    header: requireExactColumns,
    isOne: isRoughlyOne,
    sumOrder: "classes",
  }),
});
