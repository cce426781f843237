import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "multi-modal-gesture-recognition",
  name: "Multi-modal Gesture Recognition",
  category: "Image Segmentation",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 23.23,
  opened: "2013-06-21",
  closed: "2013-08-25",
  metric: { name: "levenhstein-distance", direction: "minimize" },
  columns: { id: ["Id"], target: ["Sequence"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/randomPredictions.csv" },
  errata: [
    {
      defect: "The public test .mat files contain the labels.",
      v2: "The labels are left out.",
      corrects: "data",
    },
  ],
  grade,
});
