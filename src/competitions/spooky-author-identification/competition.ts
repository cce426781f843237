import { defineCompetition } from "../competition.ts";
import { requireFirstColumn } from "../shapes/column-order.ts";
import { multiclassLogLoss } from "../shapes/graders/multiclass-log-loss.ts";
import { isRoughlyOne } from "../shapes/row-sums.ts";

export const competition = defineCompetition({
  id: "spooky-author-identification",
  name: "Spooky Author Identification",
  category: "Text Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.0019,
  opened: "2017-10-25",
  closed: "2017-12-15",
  metric: { name: "multi-class-log-loss", direction: "minimize" },
  columns: { id: ["id"], target: ["EAP", "HPL", "MWS"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: multiclassLogLoss({
    id: "id",
    classes: ["EAP", "HPL", "MWS"],
    header: requireFirstColumn,
    isOne: isRoughlyOne,
    sumOrder: "file",
  }),
});
