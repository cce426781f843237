import { roundHalfEven } from "../../metrics/arithmetic/rounding.ts";
import { defineCompetition } from "../competition.ts";
import { multiclassLogLoss } from "../shapes/graders/multiclass-log-loss.ts";

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
  grade: multiclassLogLoss({
    id: "id",
    classes: ["winner_model_a", "winner_model_b", "winner_tie"],
    // Rounding by way of a product lets floating-point error settle sums that are half a millionth off.
    isOne: (sum) => roundHalfEven(sum * 1_000_000) / 1_000_000 === 1,
    sumOrder: "classes",
  }),
});
