import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "hms-harmful-brain-activity-classification",
  name: "HMS - Harmful Brain Activity Classification",
  category: "Image Classification",
  complexity: "high",
  contest: "code",
  dataSizeGB: 26.4,
  opened: "2024-01-09",
  closed: "2024-04-08",
  metric: { name: "KL-divergence", direction: "minimize" },
  columns: {
    id: ["eeg_id"],
    target: ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"],
  },
  files: {
    answers: "prepared/private/test.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  sampleScore: 1.40995,
  grade,
});
