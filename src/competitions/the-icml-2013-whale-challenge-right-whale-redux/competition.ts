import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "the-icml-2013-whale-challenge-right-whale-redux",
  name: "The ICML 2013 Whale Challenge - Right Whale Redux",
  category: "Audio Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.29314,
  opened: "2013-05-10",
  closed: "2013-06-17",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["clip"], target: ["probability"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sampleSubmission.csv" },
  grade: binaryAuc({ id: "clip", target: "probability" }),
});
