import { defineCompetition } from "../competition.ts";
import { labelSets } from "../shapes/cells/label-sets.ts";

export const competition = defineCompetition({
  id: "starter-verb-frames",
  name: "Verb Frames",
  category: "Text Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0003,
  opened: null,
  closed: null,
  metric: { name: "micro-f1-score", direction: "maximize" },
  columns: { id: ["verb_id"], target: ["frames"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-verb-frames.tar.gz",
  sampleScore: 0.41878,
  grade: labelSets({ id: "verb_id", target: "frames", unknownLabels: "wrong" }),
});
