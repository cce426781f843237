import { defineCompetition } from "../competition.ts";
import { probabilities } from "../shapes/cells/probabilities.ts";
import { meanColumnAuc } from "../shapes/graders/mean-column-auc.ts";
import { GRADED, LEFT_OUT } from "./targets.ts";

const meanAuc = (targets: readonly string[]) =>
  meanColumnAuc({ id: "StudyInstanceUID", targets, read: probabilities });

/** Two further classes of the answers are neither asked for nor graded in v1. */
export const competition = defineCompetition({
  id: "ranzcr-clip-catheter-line-classification",
  name: "RANZCR CLiP - Catheter and Line Position Challenge",
  category: "Image Classification",
  complexity: "low",
  contest: "code",
  dataSizeGB: 13.13,
  opened: "2020-12-14",
  closed: "2021-03-16",
  metric: { name: "auc-roc", direction: "maximize" },
  columns: { id: ["StudyInstanceUID"], target: GRADED },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "Two label columns are missing from the sample submission.",
      v2: "All 11 columns are asked for.",
      corrects: "data",
    },
    { defect: "Only 9 of the 11 classes are graded.", v2: "All 11 are graded.", corrects: "grader" },
  ],
  grade: meanAuc(GRADED),
  versions: { v2: { grade: meanAuc([...GRADED, ...LEFT_OUT]) } },
});
