import { defineCompetition } from "../competition.ts";
import { binaryLogLoss } from "../shapes/graders/binary-log-loss.ts";

export const competition = defineCompetition({
  id: "starter-spam",
  name: "Spam or Not",
  category: "Text Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0006,
  opened: null,
  closed: null,
  metric: { name: "log-loss", direction: "minimize" },
  columns: { id: ["mail_id"], target: ["spam"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-spam.tar.gz",
  sampleScore: 0.99881,
  grade: binaryLogLoss({ id: "mail_id", target: "spam" }),
});
