import { defineCompetition } from "../competition.ts";
import { binaryAuc } from "../shapes/graders/binary-auc.ts";

export const competition = defineCompetition({
  id: "random-acts-of-pizza",
  name: "Random Acts of Pizza",
  category: "Text Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.003,
  opened: "2014-05-29",
  closed: "2015-06-01",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["request_id"], target: ["requester_received_pizza"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sampleSubmission.csv" },
  errata: [
    {
      defect: "The field that names the giver reveals the outcome.",
      v2: "The column is dropped from public train and test.",
      corrects: "data",
    },
  ],
  grade: binaryAuc({ id: "request_id", target: "requester_received_pizza" }),
});
