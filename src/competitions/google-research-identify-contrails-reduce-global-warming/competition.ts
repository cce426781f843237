import { defineCompetition } from "../competition.ts";

export const competition = defineCompetition({
  id: "google-research-identify-contrails-reduce-global-warming",
  name: "Google Research - Identify Contrails to Reduce Global Warming",
  category: "Image Segmentation",
  complexity: "high",
  contest: "code",
  dataSizeGB: 450.91,
  opened: "2023-05-10",
  closed: "2023-08-09",
  metric: { name: "global-dice", direction: "maximize" },
  columns: { id: ["record_id"], target: ["encoded_pixels"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.00006,
  grade: undefined as never,
});
