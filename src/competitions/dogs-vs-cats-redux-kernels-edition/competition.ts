import { defineCompetition } from "../competition.ts";
import { binaryLogLoss } from "../shapes/graders/binary-log-loss.ts";

export const competition = defineCompetition({
  id: "dogs-vs-cats-redux-kernels-edition",
  name: "Dogs vs. Cats Redux: Kernels Edition",
  category: "Image Classification",
  complexity: "low",
  contest: "code",
  dataSizeGB: 0.85,
  opened: "2016-09-02",
  closed: "2017-03-02",
  metric: { name: "log-loss", direction: "minimize" },
  columns: { id: ["id"], target: ["label"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: a recorded score of five decimals, not ln 2.
  sampleScore: 0.69315,
  grade: binaryLogLoss({ id: "id", target: "label" }),
});
