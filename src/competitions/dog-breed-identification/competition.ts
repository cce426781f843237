import { defineCompetition } from "../competition.ts";
import { multiclassLogLoss } from "../shapes/graders/multiclass-log-loss.ts";
import { isRoughlyOne } from "../shapes/row-sums.ts";
import { TARGETS } from "./targets.ts";

export const competition = defineCompetition({
  id: "dog-breed-identification",
  name: "Dog Breed Identification",
  category: "Image Classification",
  complexity: "low",
  contest: "simple",
  dataSizeGB: 0.75,
  opened: "2017-09-29",
  closed: "2018-02-26",
  metric: { name: "multi-class-log-loss", direction: "minimize" },
  columns: { id: ["id"], target: TARGETS },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 4.78749,
  errata: [
    {
      defect: "The test images come from a public labelled collection that an agent may recognise.",
      v2: "Marked only: no split can repair it.",
      corrects: "nothing",
    },
  ],
  grade: multiclassLogLoss({ id: "id", classes: TARGETS, isOne: isRoughlyOne, sumOrder: "classes" }),
});
