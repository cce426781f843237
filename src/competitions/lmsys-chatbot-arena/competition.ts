import { defineCompetition } from "../competition.ts";

export const competition = defineCompetition({
  id: "lmsys-chatbot-arena",
  name: "LMSYS - Chatbot Arena Human Preference Predictions",
  category: "Text Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 0.18,
  opened: "2024-05-02",
  closed: "2024-08-05",
  metric: { name: "multi-class-log-loss", direction: "minimize" },
  columns: { id: ["id"], target: ["winner_model_a", "winner_model_b", "winner_tie"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  grade: undefined as never,
});
