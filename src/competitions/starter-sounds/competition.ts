import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "starter-sounds",
  name: "What Makes That Sound",
  category: "Audio Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0011,
  opened: null,
  closed: null,
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["clip_id"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-sounds.tar.gz",
  sampleScore: 0.01961,
  grade: classNumberMacroF1({ id: "clip_id", target: "label" }),
});
