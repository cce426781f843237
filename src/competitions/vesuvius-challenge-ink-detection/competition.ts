import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "vesuvius-challenge-ink-detection",
  name: "Vesuvius Challenge - Ink Detection",
  category: "Image to Image",
  complexity: "high",
  contest: "code",
  dataSizeGB: 37.02,
  opened: "2023-03-15",
  closed: "2023-06-14",
  metric: { name: "f0.5-score", direction: "maximize" },
  columns: { id: ["Id"], target: ["Predicted"] },
  files: {
    answers: "prepared/private/inklabels_rle.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  grade,
});
