import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "movie-review-sentiment-analysis-kernels-only",
  name: "Movie Review Sentiment Analysis (Kernels Only)",
  category: "Development",
  complexity: "dev",
  contest: "code",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["PhraseId"], target: ["Sentiment"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sampleSubmission.csv",
  },
  grade: labelAccuracy({ id: "PhraseId", target: "Sentiment" }),
});
