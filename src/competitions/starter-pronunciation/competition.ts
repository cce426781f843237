import { defineCompetition } from "../competition.ts";
import { meanPhonemeDistance } from "./grade.ts";

export const competition = defineCompetition({
  id: "starter-pronunciation",
  name: "From Spelling to Sound",
  category: "Sequence to Sequence",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.0003,
  opened: null,
  closed: null,
  metric: { name: "phoneme-edit-distance", direction: "minimize" },
  columns: { id: ["word_id"], target: ["phonemes"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-pronunciation.tar.gz",
  sampleScore: 5.46175,
  grade: meanPhonemeDistance({ id: "word_id", target: "phonemes" }),
});
