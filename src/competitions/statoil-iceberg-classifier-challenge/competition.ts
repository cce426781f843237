import { defineCompetition } from "../competition.ts";
import { binaryLogLoss } from "../shapes/graders/binary-log-loss.ts";

export const competition = defineCompetition({
  id: "statoil-iceberg-classifier-challenge",
  name: "Statoil/C-CORE Iceberg Classifier Challenge",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 0.3021,
  opened: "2017-10-23",
  closed: "2018-01-23",
  metric: { name: "log-loss", direction: "minimize" },
  columns: { id: ["id"], target: ["is_iceberg"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/private/sample_submission.csv" },
  errata: [
    {
      defect: "The sample submission is prepared into the private folder, so an agent never sees it.",
      v2: "It is in public as well.",
      corrects: "data",
    },
  ],
  grade: binaryLogLoss({ id: "id", target: "is_iceberg" }),
});
