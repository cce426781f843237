import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "starter-bird-strikes",
  name: "Bird Strikes",
  category: "Tabular",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0002,
  opened: null,
  closed: null,
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["strike_id"], target: ["damage"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-bird-strikes.tar.gz",
  sampleScore: 0.5,
  grade: binaryAuc({ id: "strike_id", target: "damage" }),
});
