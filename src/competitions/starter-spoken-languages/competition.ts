import { defineCompetition } from "../competition.ts";
import { classNumberMacroF1 } from "../shapes/graders/macro-f1.ts";

export const competition = defineCompetition({
  id: "starter-spoken-languages",
  name: "Which Language Is Spoken",
  category: "Audio Classification",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0039,
  opened: null,
  closed: null,
  metric: { name: "macro-f1-score", direction: "maximize" },
  columns: { id: ["clip_id"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-spoken-languages.tar.gz",
  sampleScore: 0.06897,
  grade: classNumberMacroF1({ id: "clip_id", target: "label" }),
});
