import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "starter-word-fields",
  name: "Fields of Meaning",
  category: "Text Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0007,
  opened: null,
  closed: null,
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["entry_id"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-word-fields.tar.gz",
  sampleScore: 0.00108,
  grade: classNumberMacroF1({ id: "entry_id", target: "label" }),
});
