import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";
import { TARGETS } from "./targets.ts";

export const competition = defineCompetition({
  id: "freesound-audio-tagging-2019",
  name: "Freesound Audio Tagging 2019",
  category: "Audio Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 26.15,
  opened: "2019-04-04",
  closed: "2019-06-17",
  metric: { name: "label-ranking-average-precision", direction: "maximize" },
  columns: { id: ["fname"], target: TARGETS },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  sampleScore: 0.02197,
  grade,
});
